#define EMULATOR_BUILTIN EMULATOR_TLS  // Here they are set.
#include "worker.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <numeric>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "emulator/atomics.h"
#include "emulator/error.h"
#include "emulator/memory.h"
#include "emulator/print.h"
#include "emulator/shared.h"
#include "watchdog.h"
#ifdef EMULATOR_CHECKED
#include "checked/checker.h"
#define EMULATOR_CHECK(call) Checker::instance().call  // tells the checked build, and costs the plain one nothing
#else
#define EMULATOR_CHECK(call) static_cast<void>(0)
#endif

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread uint3 blockDim;
__thread uint3 gridDim;

namespace emulator {

__thread Block* this_block;
__thread bool uninterruptible;
__thread std::uint32_t this_launch;
__thread Worker* existing_worker;
__thread std::uintptr_t shared_memory_begin;

std::string index(uint3 i) {
    return "(" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) + ")";
}

namespace {

constexpr std::size_t arena_bytes = shared_memory_reserved;  // 48 KiB of static, up to 227 KiB of dynamic shared memory
// Threads, in the whole process, of blocks that wait for each other: more stacks need more mappings than Linux gives.
constexpr unsigned most_threads = 16384;

std::size_t round_up(std::size_t n, std::size_t multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

// Member by member. A copy of 8 bytes right after one of them was written has to wait until that store is done; and one
// that another OS thread writes at the same time has no such copy.
uint3 load(const uint3& index) {
    return {__atomic_load_n(&index.x, __ATOMIC_RELAXED), __atomic_load_n(&index.y, __ATOMIC_RELAXED),
            __atomic_load_n(&index.z, __ATOMIC_RELAXED)};
}

/// What EMULATOR_SHUFFLE says, the seed of the order in which threads start; without it they start in theirs.
std::optional<std::uint64_t> shuffle_seed() {
    static const char* setting = std::getenv("EMULATOR_SHUFFLE");
    static const std::optional<std::uint64_t> seed =
        setting != nullptr && *setting != 0 ? std::optional(std::strtoull(setting, nullptr, 10)) : std::nullopt;
    return seed;
}

void keep_prints(ResidentBlock& block) {
    if (!block.prints.empty()) keep_printed(block.prints.take_all());
}

const char* name(WarpOperation operation) {
    static const char* const names[] = {"__syncthreads()",     "a loop",
                                        "this_grid().sync()",  "__syncwarp()",
                                        "__activemask()",      "a volatile store",
                                        "__shfl_sync()",       "__shfl_up_sync()",
                                        "__shfl_down_sync()",  "__shfl_xor_sync()",
                                        "__ballot_sync()",     "__any_sync()",
                                        "__all_sync()",        "__match_any_sync()",
                                        "__match_all_sync()",  "__reduce_add_sync()",
                                        "__reduce_min_sync()", "__reduce_max_sync()",
                                        "__reduce_min_sync()", "__reduce_max_sync()",
                                        "__reduce_and_sync()", "__reduce_or_sync()",
                                        "__reduce_xor_sync()"};
    return names[static_cast<unsigned>(operation)];
}

// --------------------------------------------------------------------------------------------- results of warp
// operations

/// Calls f(lane) for each of `lanes`.
template <class F>
void for_each_lane(unsigned lanes, F f) {
    for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(__builtin_ctz(lanes)));
}

// The same result for all lanes.
std::uint64_t fold(WarpOperation operation, unsigned lanes, const std::uint64_t* values) {
    const auto over_lanes = [&](auto first, auto combine) {
        auto result = first;
        for_each_lane(lanes,
                      [&](unsigned lane) { result = combine(result, static_cast<decltype(first)>(values[lane])); });
        return static_cast<std::uint64_t>(result);
    };
    const auto first = static_cast<std::uint32_t>(values[__builtin_ctz(lanes)]);
    const auto first_signed = static_cast<std::int32_t>(first);
    std::uint64_t ballot = 0;
    switch (operation) {
        case WarpOperation::add:
            return over_lanes(std::uint32_t{0}, [](std::uint32_t a, std::uint32_t b) { return a + b; });
        case WarpOperation::min_signed:
            return over_lanes(first_signed, [](std::int32_t a, std::int32_t b) { return std::min(a, b); });
        case WarpOperation::max_signed:
            return over_lanes(first_signed, [](std::int32_t a, std::int32_t b) { return std::max(a, b); });
        case WarpOperation::min_unsigned:
            return over_lanes(first, [](std::uint32_t a, std::uint32_t b) { return std::min(a, b); });
        case WarpOperation::max_unsigned:
            return over_lanes(first, [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
        case WarpOperation::bit_and:
            return over_lanes(first, [](std::uint32_t a, std::uint32_t b) { return a & b; });
        case WarpOperation::bit_or:
            return over_lanes(first, [](std::uint32_t a, std::uint32_t b) { return a | b; });
        case WarpOperation::bit_xor:
            return over_lanes(std::uint32_t{0}, [](std::uint32_t a, std::uint32_t b) { return a ^ b; });
        case WarpOperation::match_all:
            for_each_lane(lanes, [&](unsigned lane) { ballot |= values[lane] ^ values[__builtin_ctz(lanes)]; });
            return ballot == 0 ? lanes : 0;
        case WarpOperation::active_mask:
            return lanes;
        default:
            break;
    }
    for_each_lane(lanes, [&](unsigned lane) { ballot |= std::uint64_t{values[lane] != 0} << lane; });
    if (operation == WarpOperation::any) return ballot != 0;
    if (operation == WarpOperation::all) return ballot == lanes;
    return ballot;
}

// Seconds of nothing but spinning after which a kernel fails.
double spin_limit() {
    static const char* setting = std::getenv("EMULATOR_SPIN_SECONDS");
    static const double limit = setting == nullptr ? 20 : std::atof(setting);
    return limit;
}

/// Replaces what the lanes have brought by what they get.
void combine(WarpOperation operation, unsigned lanes, std::uint64_t* values, const unsigned* sources) {
    if (operation == WarpOperation::sync || operation == WarpOperation::lockstep) return;
    std::uint64_t results[32];
    const bool shuffles = operation >= WarpOperation::shuffle && operation <= WarpOperation::shuffle_xor;
    if (shuffles) {
        // A lane that takes no part has no value; to read one is a mistake that shall be seen.
        for_each_lane(lanes, [&](unsigned lane) {
            results[lane] = (lanes >> sources[lane] & 1) != 0 ? values[sources[lane]] : ~std::uint64_t{0};
        });
    } else if (operation == WarpOperation::match_any) {
        for_each_lane(lanes, [&](unsigned lane) {
            results[lane] = 0;
            for_each_lane(
                lanes, [&](unsigned other) { results[lane] |= std::uint64_t{values[other] == values[lane]} << other; });
        });
    } else {
        const std::uint64_t result = fold(operation, lanes, values);
        for_each_lane(lanes, [&](unsigned lane) { results[lane] = result; });
    }
    for_each_lane(lanes, [&](unsigned lane) { values[lane] = results[lane]; });
}

}  // namespace

std::string describe(const Place& place) {
    std::string text = name(place.operation);
    if (place.operation > WarpOperation::lockstep || place.operation == WarpOperation::sync) {
        char mask[32];
        std::snprintf(mask, sizeof mask, " with mask 0x%08x", place.mask);
        text += mask;
    }
    const std::string line = source_line(reinterpret_cast<std::uintptr_t>(place.code) - 1);
    return line.empty() ? text : text + " at " + line;
}

Worker& this_worker() {
    // A static object's destructor may launch kernels when this OS thread's thread-local objects are gone already: then
    // there is another worker, up to the end of the process.
    struct Owner {
        ~Owner() {
            delete existing_worker;
            existing_worker = nullptr;
        }
    };
    if (existing_worker == nullptr) {
        existing_worker = new Worker;
        static thread_local Owner owner;
    }
    return *existing_worker;
}

ResidentBlock::ResidentBlock() {
    void* memory =
        mmap(nullptr, arena_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    shared = static_cast<char*>(memory);
}

ResidentBlock::~ResidentBlock() {
    munmap(shared, arena_bytes);
}

Worker::Worker() : os_thread_(pthread_self()), thread_index_(&threadIdx), block_index_(&blockIdx) {
    blocks_.push_back(std::make_unique<ResidentBlock>());
    here_ = blocks_.front().get();
    watch(*this);
}

Worker::~Worker() {
    unwatch(*this);
    shared_memory_begin = 0;
}

void Worker::run(Grid& grid) {
    grid_ = &grid;
    shuffle_ = shuffle_seed();
    next_block_ = claimed_ = 0;
    launch_ = ++this_launch;
    any_code_ = reinterpret_cast<const void*>(grid.run_threads);
    impatient_ = false;
    spin_progress_ = 0;
    spin_begin_ = grid.begin;
    shared_used_ = shared_bytes_ = 0;
    blockDim = grid.block;
    gridDim = grid.grid;
    threads_ = grid.block.x * grid.block.y * grid.block.z;
    warps_in_block_ = (threads_ + 31) / 32;
    uninterruptible = true;
    EMULATOR_CHECK(grid_begins(grid));
    ResidentBlock& first = *blocks_.front();
    forget_waiting(first);
    if (!claim_block(first)) return;
    enter(first);
    grid.workers[grid.workers_there.fetch_add(1)] = this;

    signal_stack_.use();
    if (sigsetjmp(given_up_, 1) == 0) {
        in_kernel_ = true;
        switch_to(pool_.take());
    } else {
        clean_up_after_failure();
    }
    EMULATOR_CHECK(grid_ends());
    in_kernel_ = false;
    signal_stack_.put_back();
    std::size_t known = grid.shared_bytes;
    while (shared_bytes_ > known && !grid.shared_bytes.compare_exchange_weak(known, shared_bytes_)) {
    }
}

void Worker::escape(Fault fault) {
    uninterruptible = true;
    if (pool_.is_guard_page(fault.address))
        fault.code =
            programs_own(fault.code, std::max(fault.stack_end, reinterpret_cast<std::uintptr_t>(current_->stack)));
    if (fault.kind == Fault::Kind::touch)  // The address of others is known, and told, before they happen.
        EMULATOR_CHECK(fault(fault.address, fault.write, fault.code, pool_.is_guard_page(fault.address)));
    const bool misaligned = fault.kind == Fault::Kind::alignment;
    report(misaligned ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress, checked ? "" : what_happened(fault));
    siglongjmp(given_up_, 1);
}

std::string Worker::what_happened(const Fault& fault) const {
    const std::string line = source_line(fault.code);
    const std::string where = line.empty() ? "" : " at " + line;
    if (fault.kind == Fault::Kind::alignment)
        return (fault.write ? "wrote" : "read") + std::string(" a float4 or the like") + where +
               ", at an address that is no multiple of its size";
    if (fault.kind == Fault::Kind::no_address) return "touched an address that no memory can have" + where;
    if (pool_.is_guard_page(fault.address)) return "overflowed its stack" + where;

    std::ostringstream what;
    what << (fault.write ? "wrote to" : "read") << " address 0x" << std::hex << fault.address << where << ", ";
    const std::string neighbour = describe_address(fault.address);
    what << (neighbour.empty() ? "which is in no allocation" : neighbour);
    return what.str();
}

bool Worker::forgive(const Fault& fault) const {
    const bool before = std::exchange(uninterruptible, true);
    const NearMiss miss = pool_.is_guard_page(fault.address) ? NearMiss::none : open_margin(fault.address);
    if (miss == NearMiss::first)
        explain("kernel %s: thread %s of block %s %s. It goes on, since a GPU would not notice.", grid_->kernel,
                index(threadIdx).c_str(), index(blockIdx).c_str(), what_happened(fault).c_str());
    uninterruptible = before;
    return miss != NearMiss::none;
}

// Only the first thread of a grid that fails is told of: the others fail for the same reason, or because of it.
void Worker::report(cudaError_t error, const std::string& what) {
    if (grid_->failed.exchange(true)) return;
    set_kernel_error(error);
    if (what.empty()) return;  // The checked build has told of it.
    explain("kernel %s: thread %s of block %s %s", grid_->kernel, index(threadIdx).c_str(), index(blockIdx).c_str(),
            what.c_str());
}

// The threads of the kernel are left where they were; their fibers begin anew.
void Worker::clean_up_after_failure() {
    for (const auto& block : blocks_) {
        block->active = false;
        keep_prints(*block);
    }
    current_ = &own_stack_;
    after_jump(own_stack_);
    pool_.reclaim_all();
}

// Before a block begins in which nobody has waited yet.
void Worker::forget_waiting(ResidentBlock& block) {
    block.ready.clear();
    block.waiting.clear();
    block.parked = block.arrived = block.votes = block.spins = block.idle_turns = 0;
    block.expected = threads_;
    block.any_parked = block.at_grid_barrier = false;
    for (unsigned w = 0; w < warps_in_block_; ++w) {
        const unsigned lanes = std::min(32u, threads_ - 32 * w);
        block.warps[w].live = 0xffffffff >> (32 - lanes);
        block.warps[w].parked = block.warps[w].waiting = 0;
    }
}

void Worker::carry() {
    for (;;) {
        threadIdx.x = no_thread;  // What it holds is another's, who would be taken for interrupted until ours begins.
        uninterruptible = false;
        grid_->run_threads(grid_->body);
        uninterruptible = true;
        if (take_shuffled_thread(*here_)) continue;
        if (!next_block_is_alike()) no_thread_left_to_start();
    }
}

// Whether all threads of the block have started.
inline bool Worker::all_started() const {
    const uint3 &next = here_->next, &end = here_->end;
    return here_->shuffled.empty() &&
           (next.z == end.z || (next.z + 1 == end.z && next.y + 1 == end.y && next.x == end.x));
}

// The threads of a block start in order, or, with EMULATOR_SHUFFLE, each time in another one: that of Fisher and Yates.
inline void Worker::begin_threads(ResidentBlock& block) {
    block.next = {0, 0, 0};
    block.end = {grid_->block.x, grid_->block.y, grid_->block.z};
    block.one_at_a_time = shuffle_.has_value();
    if (!shuffle_) return;
    std::seed_seq seed{*shuffle_, std::uint64_t{launch_}, std::uint64_t{block.index.x}, std::uint64_t{block.index.y},
                       std::uint64_t{block.index.z}};
    std::minstd_rand generator(seed);
    block.shuffled.resize(threads_);
    std::iota(block.shuffled.begin(), block.shuffled.end(), std::uint16_t{0});
    std::shuffle(block.shuffled.begin(), block.shuffled.end(), generator);
    take_shuffled_thread(block);
}

// The next thread of a shuffled block is all that run_threads() gets to see. False if there is none.
inline bool Worker::take_shuffled_thread(ResidentBlock& block) {
    if (__builtin_expect(block.shuffled.empty(), true)) return false;
    block.next = index_in(block.shuffled.back(), grid_->block);
    block.end = {block.next.x + 1, block.next.y + 1, block.next.z + 1};
    block.shuffled.pop_back();
    return true;
}

// Goes on with the next block where that is a matter of its index: claim_block() and enter() for a block beside the
// last one of which no thread has waited, and that has no shared memory.
inline bool Worker::next_block_is_alike() {
    ResidentBlock& block = *here_;
    if (block.any_parked || shuffle_ || next_block_ == claimed_ || next_index_.x + 1 == grid_->grid.x ||
        grid_->cooperative || shared_used_ + grid_->dynamic_shared > 0 || !block.prints.empty())
        return false;
    ++next_block_;
    blockIdx.x = block.index.x = ++next_index_.x;
    block.next = {0, 0, 0};
    EMULATOR_CHECK(block_begins(block));
    EMULATOR_CHECK(block_is_entered(block));
    return true;
}

void Worker::no_thread_left_to_start() {
    ResidentBlock* block = here_;
    if (block->parked == 0) {  // The block has ended.
        keep_prints(*block);
        if (grid_->cooperative) ++grid_->ended;
        if (claim_block(*block)) return enter(*block);  // This fiber goes on with it.
        block->active = false;
        block = another_begun_block();
        if (block == nullptr) {
            pool_.give_back(current_);
            return switch_to(&own_stack_);
        }
        enter(*block);
    } else if (block->ready.empty()) {
        release_stuck();
    }
    pool_.give_back(current_);
    switch_to(block->ready.pop());
}

bool Worker::claim_block(ResidentBlock& block) {
    if (next_block_ == claimed_) {
        // Large portions while there is much left, single blocks towards the end.
        if (grid_->failed) return false;
        const std::uint64_t taken = grid_->next_block;
        if (taken >= grid_->blocks) return false;
        const std::uint64_t portion = std::max<std::uint64_t>(1, (grid_->blocks - taken) / (8 * worker_count()));
        next_block_ = grid_->next_block.fetch_add(portion);
        if (next_block_ >= grid_->blocks) return claimed_ = next_block_, false;
        claimed_ = std::min(next_block_ + portion, grid_->blocks);
        next_index_ = index_in(next_block_, grid_->grid);
    } else if (++next_index_.x == grid_->grid.x) {
        next_index_ = index_in(next_block_, grid_->grid);
    }
    ++next_block_;

    block.active = true;
    block.index = load(next_index_);
    begin_threads(block);
    if (block.any_parked) forget_waiting(block);
    if (shared_used_ > 0) std::memset(block.shared, 0xff, shared_used_);
    if (grid_->dynamic_shared > 0) std::memset(block.shared + dynamic_shared_begin, 0xff, grid_->dynamic_shared);
    EMULATOR_CHECK(block_begins(block));
    return true;
}

// From here on the threads of `block` run.
void Worker::enter(ResidentBlock& block) {
    here_ = &block;
    this_block = &block;
    blockIdx = load(block.index);
    shared_memory_begin = reinterpret_cast<std::uintptr_t>(block.shared);
    EMULATOR_CHECK(block_is_entered(block));
}

// Another block that has begun, each in turn; null if there is none.
ResidentBlock* Worker::another_begun_block() {
    const auto is_here = [this](const auto& block) { return block.get() == here_; };
    const auto is_active = [](const auto& block) { return block->active; };
    const auto here = std::find_if(blocks_.begin(), blocks_.end(), is_here);
    auto next = std::find_if(here + 1, blocks_.end(), is_active);
    if (next == blocks_.end()) next = std::find_if(blocks_.begin(), here, is_active);
    return next == blocks_.end() || next == here ? nullptr : next->get();
}

unsigned Worker::active_blocks() const {
    const auto is_active = [](const auto& block) { return block->active; };
    return static_cast<unsigned>(std::count_if(blocks_.begin(), blocks_.end(), is_active));
}

// A block of the grid that has not begun, with the others left where they are; null if there is none or no room.
ResidentBlock* Worker::another_new_block() {
    const auto is_active = [](const auto& block) { return block->active; };
    const bool all_may_live = grid_->cooperative || grid_->is_small();
    if (!all_may_live && (active_blocks() + 1) * threads_ > most_threads / worker_count()) return nullptr;
    auto free = std::find_if_not(blocks_.begin(), blocks_.end(), is_active);
    if (free == blocks_.end()) free = blocks_.insert(free, std::make_unique<ResidentBlock>());
    forget_waiting(**free);
    return claim_block(**free) ? free->get() : nullptr;
}

// Goes on with other blocks, since all threads of this one only wait. The current thread is among the ready ones.
void Worker::leave_block(bool begin_another) {
    ResidentBlock* next = begin_another ? another_new_block() : nullptr;
    if (next == nullptr) next = another_begun_block();
    std::this_thread::yield();  // Who is waited for may be in another worker.
    if (next != nullptr) enter(*next);
    here_->idle_turns = 0;
    go_on_with(here_->ready.empty() ? pool_.take() : here_->ready.pop());
}

// The current thread is no longer the one that started last and has not waited: from now on it is counted.
void Worker::mark_parked() {
    ResidentBlock& block = *here_;
    block.next = {threadIdx.x + 1, threadIdx.y, threadIdx.z};
    current_->parked = block.any_parked = true;
    current_->block = &block;
    ++block.parked;
    const unsigned i = thread_number(threadIdx);
    block.warps[i / 32].parked |= 1u << i % 32;
}

void Worker::thread_ended(uint3 thread) {
    count_progress();
    ResidentBlock& block = *here_;
    if (!current_->parked) {
        block.next = {thread.x + 1, thread.y, thread.z};
        return;
    }
    current_->parked = false;
    --block.parked;
    const unsigned i = thread_number(thread), bit = 1u << i % 32;
    block.warps[i / 32].parked &= ~bit;
    block.warps[i / 32].live &= ~bit;
}

// Threads that may go on come before those that have not started.
inline Fiber* Worker::next_fiber() {
    FiberQueue& ready = here_->ready;
    if (!ready.empty()) return ready.pop();
    if (all_started()) {
        release_stuck();
        return ready.pop();
    }
    return pool_.take();
}

// Returns when somebody has put the current fiber, which is in a list by now, among those that may go on.
inline void Worker::wait() {
    if (!current_->parked) mark_parked();
    if (__builtin_expect(overdue_.load(std::memory_order_relaxed), false)) stop_if_overdue();
    go_on_with(next_fiber());
}

// Somebody has to enter() this block again before the current fiber is gone on with.
inline void Worker::go_on_with(Fiber* next) {
    Fiber* self = current_;
    self->thread = threadIdx;
    // The one after it has most likely stopped as deep in its stack as this one.
    if (next->next != nullptr) {
        const auto depth = reinterpret_cast<char*>(self) - static_cast<char*>(__builtin_frame_address(0));
        __builtin_prefetch(next->next);
        __builtin_prefetch(reinterpret_cast<char*>(next->next) - depth);
        __builtin_prefetch(reinterpret_cast<char*>(next->next) - depth - 64);
    }
    if (next != self) switch_to(next);
    threadIdx = self->thread;
}

inline void Worker::sync_threads(const void* code) {
    ResidentBlock& block = *here_;
    EMULATOR_CHECK(thread_is_at_barrier(block, reinterpret_cast<std::uintptr_t>(code)));
    if (++block.arrived == block.expected) return release_barrier();
    current_->place = {WarpOperation::none, 0, code};
    block.waiting.push(current_);
    wait();
}

unsigned Worker::sync_threads_count(bool predicate, const void* code) {
    here_->votes += predicate;
    sync_threads(code);
    return here_->last_votes;
}

inline void Worker::release_barrier() {
    count_progress();
    ResidentBlock& block = *here_;
    keep_prints(block);
    EMULATOR_CHECK(barrier_opens(block));
    block.arrived = 0;
    block.last_votes = block.votes;
    block.votes = 0;
    block.ready.splice(block.waiting);
}

// The threads of a block wait for each other, one of them for the other blocks, and then all for that one.
void Worker::sync_grid(const void* code) {
    if (!grid_->cooperative) {
        const std::string line = source_line(reinterpret_cast<std::uintptr_t>(code) - 1);
        report(cudaErrorLaunchFailure, "called this_grid().sync()" + (line.empty() ? line : " at " + line) +
                                           ", but the launch is not cooperative (cudaLaunchCooperativeKernel)");
        give_up();
    }
    sync_threads(code);
    ResidentBlock& block = *here_;
    if (!std::exchange(block.at_grid_barrier, true)) wait_for_grid(code);
    sync_threads(code);
    block.at_grid_barrier = false;  // before any of its threads gets past the first barrier of the next call
}

void Worker::wait_for_grid(const void* code) {
    Grid& grid = *grid_;
    const std::uint64_t barriers = grid.barriers;
    if (++grid.at_barrier == grid.blocks) {
        count_progress();
        EMULATOR_CHECK(grid_barrier_opens());
        grid.at_barrier = 0;
        ++grid.barriers;
    }
    while (grid.barriers == barriers) {
        const std::uint64_t ended = grid.ended;
        if (ended > 0 && grid.at_barrier + ended == grid.blocks && grid.barriers == barriers) {
            current_->place = {WarpOperation::grid, 0, code};
            if (!current_->parked) mark_parked();
            report_stuck("blocks have ended that others wait for");
            give_up();
        }
        yield(code, true, WarpOperation::grid);
    }
}

inline void Worker::switch_to(Fiber* to) {
    Fiber* from = current_;
    current_ = to;
#ifdef EMULATOR_CHECKED
    own_stack = {reinterpret_cast<std::uintptr_t>(to->stack), to->stack_bytes};
#endif
    switch_fiber(from, to);
}

// ------------------------------------------------------------------------------------------------------------- warps

std::uint64_t Worker::warp_operation(Place place, std::uint64_t value, unsigned source) {
    const unsigned i = thread_number(threadIdx), lane = i % 32, bit = 1u << lane;
    Warp& warp = here_->warps[i / 32];
    const bool by_mask = place.operation != WarpOperation::active_mask;
    if (by_mask && (place.mask & bit) == 0) {
        current_->place = place;
        EMULATOR_CHECK(lane_is_not_in_mask(describe(place), reinterpret_cast<std::uintptr_t>(place.code)));
        report(
            cudaErrorLaunchFailure,
            checked ? "" : "called " + describe(place) + ", which does not name its own lane " + std::to_string(lane));
        give_up();
    }
    if (by_mask) EMULATOR_CHECK(lane_is_at(*here_, i / 32, place.mask, reinterpret_cast<std::uintptr_t>(place.code)));
    warp.fibers[lane] = current_;
    warp.places[lane] = current_->place = place;
    warp.values[lane] = value;
    warp.sources[lane] = source;
    const unsigned lanes = place.mask & warp.live;
    if (by_mask && ((warp.waiting | bit) & lanes) == lanes && (lanes_at(warp, place) | bit) == lanes) {
        complete(warp, place.operation, lanes);
        return warp.values[lane];
    }
    warp.waiting |= bit;
    wait();
    return warp.values[lane];
}

void Worker::lockstep(Place place) {
    const unsigned i = thread_number(threadIdx), lane = i % 32;
    Warp& warp = here_->warps[i / 32];
    warp.fibers[lane] = current_;
    warp.places[lane] = current_->place = place;
    warp.waiting |= 1u << lane;
    if ((warp.waiting & warp.live) == warp.live) release_lockstep(warp);
    wait();
}

// The lanes that wait in the same operation.
unsigned Worker::lanes_at(const Warp& warp, const Place& place) const {
    unsigned lanes = 0;
    for (unsigned rest = warp.waiting; rest != 0; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        const Place& other = warp.places[lane];
        if (other.operation == place.operation && other.mask == place.mask) lanes |= 1u << lane;
    }
    return lanes;
}

// Turns what the lanes have brought into their results, all at once: those that go on first may soon bring new values.
void Worker::complete(Warp& warp, WarpOperation operation, unsigned lanes) {
    count_progress();
    if (!here_->prints.empty()) keep_printed(here_->prints.take(static_cast<unsigned>(&warp - here_->warps), lanes));
    if (operation != WarpOperation::lockstep && operation != WarpOperation::active_mask)
        EMULATOR_CHECK(lanes_meet(*here_, static_cast<unsigned>(&warp - here_->warps), lanes));
#ifdef EMULATOR_CHECKED
    if (operation >= WarpOperation::shuffle && operation <= WarpOperation::shuffle_xor)
        for_each_lane(lanes, [&](unsigned lane) {
            const Place& place = warp.places[lane];
            const unsigned absent = place.mask & ~lanes;
            if ((absent >> warp.sources[lane] & 1) != 0)
                Checker::instance().lane_asks_absent(static_cast<unsigned>(&warp - here_->warps), lane,
                                                     warp.sources[lane], place.mask,
                                                     reinterpret_cast<std::uintptr_t>(place.code));
        });
#endif
    combine(operation, lanes, warp.values, warp.sources);
    for (unsigned rest = lanes & warp.waiting; rest != 0; rest &= rest - 1)
        here_->ready.push(warp.fibers[__builtin_ctz(rest)]);
    warp.waiting &= ~lanes;
}

// ------------------------------------------------------------------------------------------------- when all are stuck

// All threads have started and none can go on. Some may have waited for others that have ended since. After this at
// least one can go on, or the kernel has failed.
void Worker::release_stuck() {
    release_what_ended_threads_kept();
    if (here_->ready.empty()) {
        report_stuck("no thread can go on");
        give_up();
    }
}

void Worker::release_what_ended_threads_kept() {
    ResidentBlock& block = *here_;
    if (block.arrived > 0 && block.arrived == block.parked) {
        block.expected = block.arrived;
        return release_barrier();
    }
    for (unsigned w = 0; w < warps_in_block_; ++w) release_stuck_warp(block.warps[w]);
    if (!block.ready.empty()) return;
    for (unsigned w = 0; w < warps_in_block_; ++w) release_lockstep(block.warps[w]);
    if (!block.ready.empty()) return;
    for (unsigned w = 0; w < warps_in_block_; ++w) release_active_lanes(block.warps[w]);
}

void Worker::release_stuck_warp(Warp& warp) {
    warp.live = warp.parked;
    for (unsigned rest = warp.waiting; rest != 0;) {
        const Place place = warp.places[__builtin_ctz(rest)];
        const unsigned there = lanes_at(warp, place);
        if (place.operation != WarpOperation::active_mask && there == (place.mask & warp.live))
            complete(warp, place.operation, there);
        rest &= ~there;
    }
}

// Of several places the first in the code is served, as release_lockstep() does: the lanes in a branch come first,
// those that went around it wait for them behind it.
void Worker::release_active_lanes(Warp& warp) {
    const unsigned lanes = lanes_at(warp, {WarpOperation::active_mask, 0, nullptr});
    const void* first = nullptr;
    unsigned there = 0;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const void* code = warp.places[lane].code;
        if (first == nullptr || std::less<>()(code, first)) first = code, there = 0;
        if (code == first) there |= 1u << lane;
    }
    if (there != 0) complete(warp, WarpOperation::active_mask, there);
}

// The lanes at the first of the places in the program's text go on: the others wait there for them to come along, as on
// a device whose warps run together again where their ways meet.
void Worker::release_lockstep(Warp& warp) {
    const Place* first = nullptr;
    for (unsigned rest = warp.waiting; rest != 0; rest &= rest - 1) {
        const Place& place = warp.places[__builtin_ctz(rest)];
        if (place.operation == WarpOperation::lockstep && (first == nullptr || place.mask < first->mask))
            first = &place;
    }
    if (first != nullptr) complete(warp, WarpOperation::lockstep, lanes_at(warp, *first));
}

// Nothing on the stack is destroyed: whoever calls this has nothing left there that owns memory.
void Worker::give_up() {
    siglongjmp(given_up_, 1);
}

int Worker::print(unsigned place, const char* format, std::va_list arguments) {
    std::va_list again;
    va_copy(again, arguments);
    const int bytes = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    if (bytes < 0) return bytes;
    std::string text(static_cast<std::size_t>(bytes), '\0');
    std::vsnprintf(text.data(), text.size() + 1, format, arguments);
    here_->prints.add(thread_number(threadIdx), place, std::move(text));
    return bytes;
}

void Worker::trap(const void* code) {
    {
        const std::string line = source_line(reinterpret_cast<std::uintptr_t>(code) - 1);
        report(cudaErrorLaunchFailure, "called __trap()" + (line.empty() ? line : " at " + line));
    }
    give_up();
}

// In CUDA's words, and only for the first thread that fails.
void Worker::fail_assertion(const char* assertion, const char* file, unsigned line, const char* function) {
    if (!grid_->failed.exchange(true)) {
        set_kernel_error(cudaErrorAssert);
        // A kernel's body is a lambda by now; it goes by the kernel's name.
        const std::string full = function;
        const bool in_lambda = full.find("lambda") != full.npos || full.find("(anonymous class)") != full.npos;
        std::fflush(stdout);
        std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
                     in_lambda ? grid_->kernel : function, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
                     threadIdx.z, assertion);
    }
    siglongjmp(given_up_, 1);
}

// How many threads of the blocks that have begun wait where.
std::string Worker::who_waits_where() const {
    struct Crowd {
        const Fiber* first;
        std::string where;
        unsigned threads;
    };
    std::vector<Crowd> crowds;
    const bool several_blocks = active_blocks() > 1;
    for (const Fiber* fiber : pool_.all()) {
        if (!fiber->parked) continue;
        const Place& place = fiber->place;
        auto same = std::find_if(crowds.begin(), crowds.end(), [&](const Crowd& crowd) {
            const Place& theirs = crowd.first->place;
            return theirs.operation == place.operation && theirs.mask == place.mask && theirs.code == place.code;
        });
        if (same == crowds.end()) {  // or another instruction of the same line
            const std::string where = describe(place);
            same = std::find_if(crowds.begin(), crowds.end(), [&](const Crowd& crowd) { return crowd.where == where; });
            if (same == crowds.end()) same = crowds.insert(same, {fiber, where, 0});
        }
        ++same->threads;
    }
    std::string text;
    constexpr std::size_t shown = 8;
    for (std::size_t i = 0; i < std::min(crowds.size(), shown); ++i) {
        const Crowd& crowd = crowds[i];
        text += (i == 0 ? "" : "; ") + std::to_string(crowd.threads) +
                (crowd.threads == 1 ? " thread waits in " : " threads wait in ") + crowd.where + ", " +
                (crowd.threads == 1 ? "" : "the first is ") + "thread " + index(crowd.first->thread);
        if (several_blocks) text += " of block " + index(crowd.first->block->index);
    }
    if (crowds.size() > shown) text += "; and at " + std::to_string(crowds.size() - shown) + " more places";
    return text;
}

void Worker::report_stuck(const char* what) {
    const std::string text = checked ? "" : who_waits_where();
    if (grid_->failed.exchange(true)) return;
    EMULATOR_CHECK(deadlock(pool_.all(), what));
    set_kernel_error(cudaErrorLaunchFailure);
    if (checked) return;
    explain("kernel %s: block %s is in a deadlock, since %s: %s", grid_->kernel, index(blockIdx).c_str(), what,
            text.c_str());
}

// ---------------------------------------------------------------------------------------------------------- spinning

void Worker::relax(const void* code) {
    constexpr unsigned patience = 8;
    if (++here_->spins < patience) return;
    here_->spins = 0;
    current_->has_relaxed = true;
    yield(code, false);
}

// The current thread waits for what only others can do: they get their turn. `interrupted`: it has not said so itself.
void Worker::yield(const void* code, bool interrupted, WarpOperation operation) {
    if (grid_->failed) siglongjmp(given_up_, 1);
    Fiber* self = current_;
    ResidentBlock& block = *here_;
    self->place = {operation, 0, code};
    keep_prints(block);
    if (!self->parked) mark_parked();
    if (block.ready.empty() && all_started()) release_what_ended_threads_kept();
    // One that waits at a volatile store may hold what all the others ask for.
    const std::uint64_t done = progress_ - computed_;
    block.idle_spins = done == block.relaxed_progress ? block.idle_spins + 1 : 0;
    block.relaxed_progress = done;
    if (block.idle_spins > block.parked)
        for (unsigned w = 0; w < warps_in_block_; ++w) release_lockstep(block.warps[w]);
    const double seconds = seconds_spinning();
    if (seconds > spin_limit()) {
        report_stuck("a thread waits in a loop for too long");
        give_up();
    }
    // Threads that have not started come first: the others may all be waiting for one of them.
    Fiber* next = nullptr;
    if (!all_started())
        next = pool_.take();
    else if (!block.ready.empty() && ++block.idle_turns <= block.parked)
        next = block.ready.pop();
    block.ready.push(self);
    // A lock comes free soon, if its holder has begun; and each block more makes it later.
    constexpr double soon = 1e-3;
    if (next != nullptr)
        go_on_with(next);
    else
        leave_block(interrupted || seconds > soon * active_blocks());
    keep_prints(block);  // They tell of what was waited for.
}

// For how long nothing has been done in the whole grid but spinning.
double Worker::seconds_spinning() {
    using namespace std::chrono;
    const auto now = steady_clock::now();
    std::uint64_t progress = std::min(grid_->next_block.load(), grid_->blocks);
    for (const std::atomic<Worker*>& worker : grid_->workers)
        if (const Worker* w = worker.load()) progress += w->progress_.load(std::memory_order_relaxed);
    if (progress != spin_progress_) {
        spin_progress_ = progress;
        spin_begin_ = now;
    }
    return duration<double>(now - spin_begin_).count();
}

// What EMULATOR_TIMEOUT allows a kernel, in seconds; 0 if it is not set.
static double time_limit() {
    static const char* setting = std::getenv("EMULATOR_TIMEOUT");
    static const double limit = setting == nullptr ? 0 : std::atof(setting);
    return limit;
}

static bool is_over(std::chrono::steady_clock::time_point begin) {
    if (time_limit() <= 0) return false;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    return passed.count() > time_limit();
}

// The watchdog has seen this thread run for long. If it does nothing but wait for another one, the registers and the
// top of its stack have few different contents: then, and anyway after many interruptions, others get their turn.
void Worker::interrupted(const void* context) {
    if (!in_kernel_ || uninterruptible || threadIdx.x == no_thread) return;
    const Registers registers(context);
    const std::uintptr_t stack = reinterpret_cast<std::uintptr_t>(current_->stack);
    if (registers.stack_pointer - stack >= current_->stack_bytes) return;
    const int saved_errno = errno;
    uninterruptible = true;
    const void* after = reinterpret_cast<const void*>(registers.code + 1);  // as if it had just called us
    if (is_over(grid_->begin)) end_overdue(registers.code);
    const bool has_relaxed = std::exchange(current_->has_relaxed, false);
    const bool only_waits =
        has_relaxed || !current_->is_in_new_state(registers.fingerprint(reinterpret_cast<std::uintptr_t>(current_)));
    if (!only_waits) {
        count_progress();
        ++computed_;
    }
    constexpr unsigned patience = 20;
    const bool in_kernel_code = registers.code - code_.begin < code_.bytes;  // and not in malloc() and its locks
    if (in_kernel_code && (only_waits || grid_->impatient || ++interruptions_ % patience == 0)) {
        impatient_ = grid_->impatient = true;
        // Blocked in here, so that this function is not interrupted itself; but not for whoever runs meanwhile.
        sigset_t ours;
        sigemptyset(&ours);
        sigaddset(&ours, interruption);
        pthread_sigmask(SIG_UNBLOCK, &ours, nullptr);
        yield(after, true);
        pthread_sigmask(SIG_BLOCK, &ours, nullptr);
    }
    uninterruptible = false;
    errno = saved_errno;
}

// The watchdog may have meant the launch before this one.
void Worker::stop_if_overdue() {
    if (is_over(grid_->begin)) end_overdue(reinterpret_cast<std::uintptr_t>(current_->place.code) - 1);
}

void Worker::end_overdue(std::uintptr_t code) {
    report(cudaErrorLaunchTimeout, "has not ended after the " + std::string(std::getenv("EMULATOR_TIMEOUT")) +
                                       " seconds of EMULATOR_TIMEOUT. It is at " + source_line(code));
    give_up();
}

Worker::Snapshot Worker::look() const {
    return {progress_, launch_, load(*thread_index_), load(*block_index_)};
}

bool Worker::shall_be_interrupted() {
    const auto equal = [](uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
    const Snapshot now = look();
    const bool same = now.progress == last_seen_.progress && now.launch == last_seen_.launch &&
                      equal(now.thread, last_seen_.thread) && equal(now.block, last_seen_.block);
    if (now.launch != last_seen_.launch) {
        code_ = {};
        first_seen_ = std::chrono::steady_clock::now();
        overdue_ = false;
    }
    last_seen_ = now;
    if (same && code_.bytes == 0) code_ = code_around(any_code_);
    const bool is_overdue = overdue_;
    overdue_ = is_overdue || is_over(first_seen_);
    return same || is_overdue;
}

// ------------------------------------------------------------------------------------------------------------ memory

std::uint64_t Worker::place_shared(std::size_t bytes, std::size_t alignment, std::uint64_t* known) {
    if (*known >> 32 == this_launch) return *known;  // Another thread was here between the question and now.
    const std::size_t begin = round_up(shared_used_, alignment);
    shared_bytes_ += bytes;
    if (shared_bytes_ > max_static_shared || begin + bytes > dynamic_shared_begin) {
        report(cudaErrorInvalidValue, "needs more than the 49152 bytes of static shared memory that a block has");
        siglongjmp(given_up_, 1);
    }
    shared_used_ = begin + bytes + shared_gap;
    for (const auto& block : blocks_)
        if (block->active) std::memset(block->shared + begin, 0xff, bytes);
    return *known = std::uint64_t{this_launch} << 32 | begin;
}

void name_shared([[maybe_unused]] std::uint64_t place, [[maybe_unused]] std::size_t bytes,
                 [[maybe_unused]] const DescribedVariable& variable) {
    const Uninterrupted here;
    EMULATOR_CHECK(shared_variable(static_cast<std::uint32_t>(place), bytes, variable));
}

void name_dynamic_shared([[maybe_unused]] const DescribedVariable& variable) {
    EMULATOR_CHECK(dynamic_shared_variable(variable));
}

void run_carrier() {
    existing_worker->carry();
}
void sync_threads() {
    const Uninterrupted here;
    existing_worker->sync_threads(__builtin_return_address(0));
}
unsigned sync_threads_count(bool predicate) {
    const Uninterrupted here;
    return existing_worker->sync_threads_count(predicate, __builtin_return_address(0));
}
std::uint64_t warp_operation(WarpOperation operation, unsigned mask, std::uint64_t value, unsigned source) {
    const Uninterrupted here;
    return existing_worker->warp_operation({operation, mask, __builtin_return_address(0)}, value, source);
}
void lockstep(unsigned place) {
    Worker* worker = existing_worker;
    if (worker == nullptr || !worker->in_kernel()) return;
    const Uninterrupted here;
    worker->lockstep({WarpOperation::lockstep, place, __builtin_return_address(0)});
}
unsigned lane_index() {
    return thread_number(threadIdx) % 32;
}
bool is_cooperative() {
    return existing_worker->is_cooperative();
}
void sync_grid() {
    const Uninterrupted here;
    existing_worker->sync_grid(__builtin_return_address(0));
}
void relax() {
    Worker* worker = existing_worker;
    if (worker == nullptr || !worker->in_kernel()) return;
    const Uninterrupted here;
    worker->relax(__builtin_return_address(0));
}
int print(unsigned place, const char* format, ...) {
    Worker* worker = existing_worker;
    std::va_list arguments;
    va_start(arguments, format);
    int bytes;
    if (worker != nullptr && worker->in_kernel()) {
        const Uninterrupted here;
        bytes = worker->print(place, format, arguments);
    } else {
        bytes = std::vprintf(format, arguments);
    }
    va_end(arguments);
    return bytes;
}
void trap() {
    const Uninterrupted here;
    existing_worker->trap(__builtin_return_address(0));
}
void thread_ended(uint3 thread) {
    existing_worker->thread_ended(thread);
}
std::uint64_t place_shared(std::size_t bytes, std::size_t alignment, std::uint64_t* known) {
    const Uninterrupted here;
    return existing_worker->place_shared(bytes, alignment, known);
}

}  // namespace emulator

// What assert() calls, in the place of the C library's: in a kernel it fails the kernel, elsewhere the program.
extern "C" [[noreturn]] void __assert_fail(const char* assertion, const char* file, unsigned line,
                                           const char* function) noexcept {
    emulator::Worker* worker = emulator::existing_worker;
    if (worker != nullptr && worker->in_kernel()) worker->fail_assertion(assertion, file, line, function);
    using Function = void (*)(const char*, const char*, unsigned, const char*);
    if (auto* library = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "__assert_fail")))
        library(assertion, file, line, function);
    std::abort();
}
