#include "worker.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "emulator/atomics.h"
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
__thread std::uintptr_t shared_memory_begin;

namespace {

constexpr std::size_t arena_bytes = shared_memory_reserved;  // 48 KiB of static, up to 227 KiB of dynamic shared memory
constexpr std::size_t gap = 16;                              // between shared variables

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

unsigned thread_number() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

bool all_started() {
    const uint3& next = this_block->next;
    return next.z == blockDim.z || (next.z + 1 == blockDim.z && next.y + 1 == blockDim.y && next.x == blockDim.x);
}

const char* name(WarpOperation operation) {
    static const char* const names[] = {"__syncthreads()",     "a loop",
                                        "__syncwarp()",        "__activemask()",
                                        "a volatile store",    "__shfl_sync()",
                                        "__shfl_up_sync()",    "__shfl_down_sync()",
                                        "__shfl_xor_sync()",   "__ballot_sync()",
                                        "__any_sync()",        "__all_sync()",
                                        "__match_any_sync()",  "__match_all_sync()",
                                        "__reduce_add_sync()", "__reduce_min_sync()",
                                        "__reduce_max_sync()", "__reduce_min_sync()",
                                        "__reduce_max_sync()", "__reduce_and_sync()",
                                        "__reduce_or_sync()",  "__reduce_xor_sync()"};
    return names[static_cast<unsigned>(operation)];
}

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
    shared_memory_begin = reinterpret_cast<std::uintptr_t>(arena_);
}

Worker::~Worker() {
    existing_worker = nullptr;
    shared_memory_begin = 0;
    munmap(arena_, arena_bytes);
}

void Worker::run(Grid& grid) {
    grid_ = &grid;
    next_block_ = claimed_ = 0;
    this_block = &block_;
    blockDim = grid.block;
    gridDim = grid.grid;
    threads_ = grid.block.x * grid.block.y * grid.block.z;
    forget_waiting();
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
    block_.parked = 0;
    current_ = &own_stack_;
    pool_.reclaim_all();
}

// Before a block begins in which nobody has waited yet.
void Worker::forget_waiting() {
    ready_.clear();
    waiting_.clear();
    arrived_ = votes_ = spins_ = 0;
    expected_ = threads_;
    any_parked_ = false;
    warps_in_block_ = (threads_ + 31) / 32;
    for (unsigned w = 0; w < warps_in_block_; ++w) {
        const unsigned lanes = std::min(32u, threads_ - 32 * w);
        warps_[w].live = 0xffffffff >> (32 - lanes);
        warps_[w].parked = warps_[w].waiting = 0;
    }
}

void Worker::carry() {
    for (;;) {
        grid_->run_threads(grid_->body);
        no_thread_left_to_start();
    }
}

void Worker::no_thread_left_to_start() {
    if (block_.parked == 0) {       // The block has ended.
        if (claim_block()) return;  // This fiber goes on with it.
        pool_.give_back(current_);
        switch_to(&own_stack_);
        return;
    }
    if (ready_.empty()) release_stuck();
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

    block_.next = {0, 0, 0};
    ++block_.serial;
    if (any_parked_) forget_waiting();
    shared_used_ = 0;
    dynamic_shared_ = arena_ + max_static_shared;
    if (grid_->shared_bytes > 0) std::memset(dynamic_shared_, 0xff, grid_->shared_bytes);
    return true;
}

// The current thread is no longer the one that started last and has not waited: from now on it is counted.
void Worker::mark_parked() {
    block_.next = {threadIdx.x + 1, threadIdx.y, threadIdx.z};
    current_->parked = any_parked_ = true;
    ++block_.parked;
    const unsigned i = thread_number();
    warps_[i / 32].parked |= 1u << i % 32;
}

void Worker::thread_ended() {
    ++progress_;
    if (!current_->parked) {
        block_.next = {threadIdx.x + 1, threadIdx.y, threadIdx.z};
        return;
    }
    current_->parked = false;
    --block_.parked;
    const unsigned i = thread_number(), bit = 1u << i % 32;
    warps_[i / 32].parked &= ~bit;
    warps_[i / 32].live &= ~bit;
}

// Threads that may go on come before those that have not started.
inline Fiber* Worker::next_fiber() {
    if (!ready_.empty()) return ready_.pop();
    if (all_started()) {
        release_stuck();
        return ready_.pop();
    }
    return pool_.take();
}

// Returns when somebody has put the current fiber, which is in a list by now, among those that may go on.
inline void Worker::wait() {
    if (!current_->parked) mark_parked();
    go_on_with(next_fiber());
}

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
    if (++arrived_ == expected_) return release_barrier();
    current_->place = {WarpOperation::none, 0, code};
    waiting_.push(current_);
    wait();
}

unsigned Worker::sync_threads_count(bool predicate, const void* code) {
    votes_ += predicate;
    sync_threads(code);
    return last_votes_;
}

inline void Worker::release_barrier() {
    ++progress_;
    arrived_ = 0;
    last_votes_ = votes_;
    votes_ = 0;
    ready_.splice(waiting_);
}

inline void Worker::switch_to(Fiber* to) {
    Fiber* from = current_;
    current_ = to;
    switch_fiber(from, to);
}

// ------------------------------------------------------------------------------------------------------------- warps

std::uint64_t Worker::warp_operation(Place place, std::uint64_t value, unsigned source) {
    const unsigned i = thread_number(), lane = i % 32, bit = 1u << lane;
    Warp& warp = warps_[i / 32];
    const bool by_mask = place.operation != WarpOperation::active_mask;
    if (by_mask && (place.mask & bit) == 0) {
        current_->place = place;
        report(cudaErrorLaunchFailure,
               "called " + describe(place) + ", which does not name its own lane " + std::to_string(lane));
        give_up();
    }
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
    const unsigned i = thread_number(), lane = i % 32;
    Warp& warp = warps_[i / 32];
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
    ++progress_;
    combine(operation, lanes, warp.values, warp.sources);
    for (unsigned rest = lanes & warp.waiting; rest != 0; rest &= rest - 1)
        ready_.push(warp.fibers[__builtin_ctz(rest)]);
    warp.waiting &= ~lanes;
}

// ------------------------------------------------------------------------------------------------- when all are stuck

// All threads have started and none can go on. Some may have waited for others that have ended since. After this at
// least one can go on, or the kernel has failed.
void Worker::release_stuck() {
    release_what_ended_threads_kept();
    if (ready_.empty()) {
        report_stuck("no thread can go on");
        give_up();
    }
}

void Worker::release_what_ended_threads_kept() {
    if (arrived_ > 0 && arrived_ == block_.parked) {
        expected_ = arrived_;
        return release_barrier();
    }
    for (unsigned w = 0; w < warps_in_block_; ++w) release_stuck_warp(warps_[w]);
    if (!ready_.empty()) return;
    for (unsigned w = 0; w < warps_in_block_; ++w) release_lockstep(warps_[w]);
    if (!ready_.empty()) return;
    for (unsigned w = 0; w < warps_in_block_; ++w) release_active_lanes(warps_[w]);
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

void Worker::release_active_lanes(Warp& warp) {
    const Place place{WarpOperation::active_mask, 0, nullptr};
    for (unsigned rest = lanes_at(warp, place); rest != 0;) {
        unsigned there = 0;
        const void* code = warp.places[__builtin_ctz(rest)].code;
        for (unsigned lane = 0; lane < 32; ++lane)
            if ((rest >> lane & 1) != 0 && warp.places[lane].code == code) there |= 1u << lane;
        complete(warp, WarpOperation::active_mask, there);
        rest &= ~there;
    }
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

// Tells how many threads of the block wait where.
void Worker::report_stuck(const char* what) {
    struct Crowd {
        Place place;
        uint3 first;
        unsigned threads;
    };
    std::vector<Crowd> crowds;
    for (const Fiber* fiber : pool_.all()) {
        if (!fiber->parked) continue;
        const Place& place = fiber->place;
        const auto same = std::find_if(crowds.begin(), crowds.end(), [&](const Crowd& crowd) {
            return crowd.place.operation == place.operation && crowd.place.mask == place.mask &&
                   crowd.place.code == place.code;
        });
        if (same == crowds.end())
            crowds.push_back({place, fiber->thread, 1});
        else
            ++same->threads;
    }
    std::string text = std::string("is in a deadlock, since ") + what;
    constexpr std::size_t shown = 8;
    for (std::size_t i = 0; i < std::min(crowds.size(), shown); ++i) {
        const Crowd& crowd = crowds[i];
        text += (i == 0 ? ": " : "; ") + std::to_string(crowd.threads) +
                (crowd.threads == 1 ? " thread waits in " : " threads wait in ") + describe(crowd.place) + ", " +
                (crowd.threads == 1 ? "" : "the first is ") + "thread " + index(crowd.first);
    }
    if (crowds.size() > shown) text += "; and at " + std::to_string(crowds.size() - shown) + " more places";
    if (grid_->failed.exchange(true)) return;
    set_kernel_error(cudaErrorLaunchFailure);
    explain("kernel %s: block %s %s", grid_->kernel, index(blockIdx).c_str(), text.c_str());
}

// ---------------------------------------------------------------------------------------------------------- spinning

void Worker::relax(const void* code) {
    constexpr unsigned patience = 8;
    if (++spins_ < patience) return;
    spins_ = 0;
    if (grid_->failed) siglongjmp(given_up_, 1);
    Fiber* self = current_;
    self->place = {WarpOperation::spin, 0, code};
    if (!self->parked) mark_parked();
    if (ready_.empty() && all_started()) release_what_ended_threads_kept();
    // One that waits at a volatile store may hold what all the others ask for.
    idle_spins_ = progress_ == relaxed_progress_ ? idle_spins_ + 1 : 0;
    relaxed_progress_ = progress_;
    if (idle_spins_ > block_.parked)
        for (unsigned w = 0; w < warps_in_block_; ++w) release_lockstep(warps_[w]);
    check_spinning();
    // Threads that have not started come first: the others may all be waiting for one of them.
    const bool fresh = !all_started();
    if (!fresh && ready_.empty()) return std::this_thread::yield();
    Fiber* next = fresh ? pool_.take() : ready_.pop();
    ready_.push(self);
    go_on_with(next);
}

// Fails the kernel when for a long time nothing has been done in it but spinning.
void Worker::check_spinning() {
    using namespace std::chrono;
    const auto now = steady_clock::now();
    const std::uint64_t progress = progress_ + grid_->next_block;
    if (progress != spin_progress_) {
        spin_progress_ = progress;
        spin_begin_ = now;
    }
    static const char* setting = std::getenv("EMULATOR_SPIN_SECONDS");
    static const double limit = setting == nullptr ? 20 : std::atof(setting);
    if (duration<double>(now - spin_begin_).count() > limit) {
        report_stuck("a thread waits in a loop for too long");
        give_up();
    }
}

// ------------------------------------------------------------------------------------------------------------ memory

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

void run_carrier() {
    existing_worker->carry();
}
void sync_threads() {
    existing_worker->sync_threads(__builtin_return_address(0));
}
unsigned sync_threads_count(bool predicate) {
    return existing_worker->sync_threads_count(predicate, __builtin_return_address(0));
}
std::uint64_t warp_operation(WarpOperation operation, unsigned mask, std::uint64_t value, unsigned source) {
    return existing_worker->warp_operation({operation, mask, __builtin_return_address(0)}, value, source);
}
void lockstep(unsigned place) {
    Worker* worker = existing_worker;
    if (worker != nullptr && worker->in_kernel())
        worker->lockstep({WarpOperation::lockstep, place, __builtin_return_address(0)});
}
unsigned lane_index() {
    return thread_number() % 32;
}
void relax() {
    Worker* worker = existing_worker;
    if (worker != nullptr && worker->in_kernel()) worker->relax(__builtin_return_address(0));
}
void trap() {
    existing_worker->trap(__builtin_return_address(0));
}
void thread_ended() {
    existing_worker->thread_ended();
}
void* allocate_shared(std::size_t bytes, std::size_t alignment) {
    return existing_worker->allocate_shared(bytes, alignment);
}
void* dynamic_shared_memory() {
    return existing_worker->dynamic_shared_memory();
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
