#include "worker.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <sstream>
#include <string>

#include "emulator/error.h"
#include "emulator/memory.h"
#include "emulator/shared.h"

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread dim3 blockDim;
__thread dim3 gridDim;

namespace emulator {

__thread Block* this_block;
__thread Worker* existing_worker;

namespace {

constexpr std::size_t arena_bytes = 512u << 10;  // 48 KiB of static, up to 227 KiB of dynamic shared memory
constexpr std::size_t gap = 16;                  // between shared variables

std::size_t round_up(std::size_t n, std::size_t multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

std::string index(uint3 i) {
    return "(" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) + ")";
}

uint3 block_index(std::uint64_t linear, dim3 grid) {
    return {static_cast<unsigned>(linear % grid.x), static_cast<unsigned>(linear / grid.x % grid.y),
            static_cast<unsigned>(linear / grid.x / grid.y)};
}

}  // namespace

Worker& this_worker() {
    thread_local Worker worker;
    return worker;
}

Worker::Worker() {
    void* arena =
        mmap(nullptr, arena_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena == MAP_FAILED) throw std::bad_alloc();
    arena_ = static_cast<char*>(arena);
    existing_worker = this;
}

Worker::~Worker() {
    existing_worker = nullptr;
    munmap(arena_, arena_bytes);
}

void Worker::run(Grid& grid) {
    grid_ = &grid;
    next_block_ = claimed_ = 0;
    this_block = &block_;
    blockDim = grid.block;
    gridDim = grid.grid;
    block_.threads = grid.block.x * grid.block.y * grid.block.z;
    if (!claim_block()) return;

    signal_stack_.use();
    if (sigsetjmp(given_up_, 1) == 0) {
        in_kernel_ = true;
        switch_to(pool_.take());
    } else {
        clean_up_after_failure();
    }
    in_kernel_ = false;
    signal_stack_.put_back();
}

void Worker::escape(const Fault& fault) {
    report(fault);
    siglongjmp(given_up_, 1);
}

void Worker::report(const Fault& fault) {
    const std::string line = source_line(fault.code);
    const std::string where = line.empty() ? "" : " at " + line;
    if (pool_.is_guard_page(fault.address)) return report(cudaErrorIllegalAddress, "overflowed its stack" + where);

    std::ostringstream what;
    what << (fault.write ? "wrote to" : "read") << " address 0x" << std::hex << fault.address << where << ", ";
    const std::string neighbour = describe_address(fault.address);
    what << (neighbour.empty() ? "which is in no allocation" : neighbour);
    report(cudaErrorIllegalAddress, what.str());
}

// Only the first thread of a grid that fails is told of: the others fail for the same reason, or because of it.
void Worker::report(cudaError_t error, const std::string& what) {
    if (grid_->failed.exchange(true)) return;
    set_kernel_error(error);
    explain("kernel %s: thread %s of block %s %s", grid_->kernel, index(threadIdx).c_str(), index(blockIdx).c_str(),
            what.c_str());
}

// The threads of the kernel are left where they were; their fibers begin anew.
void Worker::clean_up_after_failure() {
    ready_.clear();
    waiting_.clear();
    arrived_ = 0;
    current_ = &own_stack_;
    pool_.reclaim_all();
}

// What a fiber does for all its life.
void Worker::carrier() {
    Worker& worker = *existing_worker;
    for (;;) {
        worker.grid_->run_threads(worker.grid_->body);
        worker.no_thread_left_to_start();
    }
}

void Worker::no_thread_left_to_start() {
    if (block_.exited == block_.threads) {
        if (claim_block()) return;  // This fiber goes on with it.
        pool_.give_back(current_);
        switch_to(&own_stack_);
        return;
    }
    // Threads are parked on other fibers. Those that have exited no longer count at the barrier.
    if (arrived_ == block_.threads - block_.exited) release_barrier();
    pool_.give_back(current_);
    switch_to(ready_.pop());
}

bool Worker::claim_block() {
    if (next_block_ == claimed_) {
        // Large portions while there is much left, single blocks towards the end.
        if (grid_->failed) return false;
        const std::uint64_t taken = std::min(grid_->next_block.load(), grid_->blocks);
        const std::uint64_t portion = std::max<std::uint64_t>(1, (grid_->blocks - taken) / (8 * worker_count()));
        next_block_ = grid_->next_block.fetch_add(portion);
        if (next_block_ >= grid_->blocks) return claimed_ = next_block_, false;
        claimed_ = std::min(next_block_ + portion, grid_->blocks);
        blockIdx = block_index(next_block_, grid_->grid);
    } else if (++blockIdx.x == grid_->grid.x) {
        blockIdx = block_index(next_block_, grid_->grid);
    }
    ++next_block_;

    block_.next_x = block_.next_y = block_.next_z = 0;
    block_.exited = 0;
    ++block_.serial;
    shared_used_ = 0;
    dynamic_shared_ = arena_ + max_static_shared;
    if (grid_->shared_bytes > 0) std::memset(dynamic_shared_, 0xff, grid_->shared_bytes);
    return true;
}

void Worker::sync_threads() {
    ++arrived_;
    if (arrived_ == block_.threads - block_.exited) return release_barrier();
    current_->thread = threadIdx;
    waiting_.push(current_);
    switch_to(ready_.empty() ? pool_.take() : ready_.pop());
    threadIdx = current_->thread;
}

void Worker::release_barrier() {
    arrived_ = 0;
    ready_.splice(waiting_);
}

void Worker::switch_to(Fiber* to) {
    Fiber* from = current_;
    current_ = to;
    switch_fiber(from, to);
}

void* Worker::allocate_shared(std::size_t bytes, std::size_t alignment) {
    const std::size_t begin = round_up(shared_used_, alignment);
    if (begin + bytes > max_static_shared) {
        report(cudaErrorInvalidValue, "needs more than the 49152 bytes of static shared memory that a block has");
        siglongjmp(given_up_, 1);
    }
    shared_used_ = begin + bytes + gap;
    std::memset(arena_ + begin, 0xff, bytes);
    return arena_ + begin;
}

void sync_threads() {
    existing_worker->sync_threads();
}
void* allocate_shared(std::size_t bytes, std::size_t alignment) {
    return existing_worker->allocate_shared(bytes, alignment);
}
void* dynamic_shared_memory() {
    return existing_worker->dynamic_shared_memory();
}

}  // namespace emulator
