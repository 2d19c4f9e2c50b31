// The barriers of a block that PTX knows by their numbers.

#include "named_barriers.h"

#include <string>

#include "../reports/source_places.h"
#include "switching.h"
#include "worker.h"
#ifdef EMULATOR_CHECKED
#include "../checked/counters/counters.h"
#include "../checked/trace/trace.h"
#endif

namespace emulator {
namespace {

// Threads of a block that make up whole warps: how a barrier counts them.
unsigned in_whole_warps(unsigned threads) {
    return (threads + NamedBarrier::warp_threads - 1) / NamedBarrier::warp_threads * NamedBarrier::warp_threads;
}

}  // namespace

// What is wrong with a call; empty: nothing.
std::string Worker::mistake_at_named_barrier(unsigned id, unsigned threads, bool waits) const {
    if (id >= NamedBarrier::of_block) return ", and a block has those from 0 to 15";
    if (threads == 0 && !waits) return ", without saying for how many threads";
    if (threads % NamedBarrier::warp_threads != 0)
        return ", for " + std::to_string(threads) + " threads, which is no multiple of 32";
    const NamedBarrier* barrier = here_->named == nullptr ? nullptr : here_->named->of_number[id].get();
    const unsigned expected = threads == 0 ? in_whole_warps(threads_) : threads;
    if (barrier == nullptr || barrier->expected == 0 || barrier->expected == expected) return "";
    return ", for " + std::to_string(expected) + " threads, where " +
           source_line(reinterpret_cast<std::uintptr_t>(barrier->code) - 1) + " has " +
           std::to_string(barrier->expected);
}

NamedBarriers& Worker::named_barriers() {
    ResidentBlock& block = *here_;
    if (block.named == nullptr) {
        block.named = std::make_unique<NamedBarriers>();
        block.any_parked = true;  // forget_waiting() has to forget them
    }
    return *block.named;
}

// `threads`: 0 for all of the block.
NamedBarrier& Worker::named_barrier(unsigned id, unsigned threads, const void* code) {
    std::unique_ptr<NamedBarrier>& made = named_barriers().of_number[id];
    if (made == nullptr) made = std::make_unique<NamedBarrier>(id);
    NamedBarrier& barrier = *made;
    if (barrier.expected == 0) {
        barrier.expected = threads == 0 ? in_whole_warps(threads_) : threads;
        barrier.code = code;
    }
    barrier.for_block |= threads == 0;
    return barrier;
}

// All lanes of a warp have come that can. Those that only arrive go on.
void Worker::warp_arrives(ResidentBlock& block, NamedBarrier& barrier, unsigned w, [[maybe_unused]] const void* code) {
    watched_.count_progress();
    NamedBarrier::OfWarp& own = barrier.warps[w];
#ifdef EMULATOR_CHECKED
    if (counting) {
        const std::uint64_t nothing[32] = {};
        const unsigned sources[32] = {};
        if (watching) Counters::instance().lanes_exchange(own.lanes, "a named barrier", nothing, nothing, sources);
        Counters::instance().lanes_meet(w, own.lanes, reinterpret_cast<std::uintptr_t>(code));
    }
#endif
    barrier.votes += own.votes;
    own.lanes = own.votes = 0;
    barrier.incomplete_warps &= ~(1u << w);
    barrier.waiting.splice(own.syncing);
    block.ready.splice(own.arriving);
    barrier.arrived += NamedBarrier::warp_threads;
    barrier.arrived_again |= (barrier.arrived_warps >> w & 1) != 0;
    barrier.arrived_warps |= 1u << w;
    if (barrier.arrived == barrier.expected) open_named_barrier(block, barrier);
}

void Worker::open_named_barrier(ResidentBlock& block, NamedBarrier& barrier) {
    block.keep_prints();
    EMULATOR_CHECK(named_barrier_opens(block, barrier));
    for (Fiber* fiber = barrier.waiting.first(); fiber != nullptr; fiber = fiber->next) fiber->votes = barrier.votes;
    block.ready.splice(barrier.waiting);
    barrier.arrived = barrier.arrived_warps = barrier.votes = 0;
    barrier.for_block = false;
    if (barrier.incomplete_warps == 0) barrier.expected = 0;
}

// Returns how many threads have come with `vote`; 0 to one that does not wait.
unsigned Worker::come_to_named_barrier(unsigned id, unsigned threads, bool vote, bool waits, const void* code) {
    NamedBarrier& barrier = named_barrier(id, threads, code);
    const unsigned i = thread_number(threadIdx), w = i / NamedBarrier::warp_threads;
    ResidentBlock& block = *here_;
    EMULATOR_CHECK(thread_is_at_named_barrier(block, id));
    NamedBarrier::OfWarp& own = barrier.warps[w];
    own.lanes |= 1u << i % NamedBarrier::warp_threads;
    barrier.incomplete_warps |= 1u << w;
    own.votes += vote;
    current_->place = {WarpOperation::named_barrier, id, code, &barrier};
    current_->thread = threadIdx;
    (waits ? own.syncing : own.arriving).push(current_);
    if ((own.lanes & block.warps[w].live) == block.warps[w].live) warp_arrives(block, barrier, w, code);
    wait();
    return waits ? current_->votes : 0;
}

// No thread can go on: lanes that have ended are waited for no more, and nor are warps, by those that wait for all.
void Worker::release_named_barriers(ResidentBlock& block) {
    if (block.named == nullptr) return;
    unsigned left = 0;
    for (unsigned w = 0; w < warps_in_block_; ++w) {
        block.warps[w].live = block.warps[w].parked;
        if (block.warps[w].parked != 0) left |= 1u << w;
    }
    for (const std::unique_ptr<NamedBarrier>& made : block.named->of_number) {
        if (made == nullptr) continue;
        NamedBarrier& barrier = *made;
        for (unsigned rest = barrier.incomplete_warps; rest != 0; rest &= rest - 1) {
            const auto w = static_cast<unsigned>(__builtin_ctz(rest));
            if (barrier.warps[w].lanes == block.warps[w].live) warp_arrives(block, barrier, w, barrier.code);
        }
        if (barrier.for_block && barrier.arrived > 0 && (left & ~barrier.arrived_warps) == 0)
            open_named_barrier(block, barrier);
    }
}

void Worker::require_named_barrier(unsigned id, unsigned threads, bool waits, const void* code) {
    if (const std::string mistake = mistake_at_named_barrier(id, threads, waits); !mistake.empty())
        failure_.report(cudaErrorLaunchFailure, "came to barrier " + std::to_string(id) + " of its block",
                        reinterpret_cast<std::uintptr_t>(code) - 1, mistake);
    if (grid_->failed) failure_.give_up();
}

// Barrier 0 for the whole block is that of __syncthreads().
unsigned Worker::sync_named_barrier(unsigned id, unsigned threads, bool vote, const void* code) {
    if (id == 0 && (threads == 0 || threads == in_whole_warps(threads_))) return sync_threads_count(vote, code);
    require_named_barrier(id, threads, true, code);
    return come_to_named_barrier(id, threads, vote, true, code);
}
void Worker::arrive_at_named_barrier(unsigned id, unsigned threads, const void* code) {
    require_named_barrier(id, threads, false, code);
    come_to_named_barrier(id, threads, false, false, code);
}

unsigned Worker::sync_tile(unsigned tile_threads, bool vote, const void* code) {
    const unsigned tile = WarpTile::number(tile_threads, thread_number(threadIdx));
    return come_to_named_barrier(NamedBarrier::of_block + tile, tile_threads, vote, true, code);
}
std::uint64_t& Worker::place_in_tile(unsigned tile_threads, unsigned place) {
    return named_barriers().handed_on[WarpTile::number(tile_threads, thread_number(threadIdx))][place];
}

unsigned sync_named_barrier(std::uint64_t id, std::uint64_t threads, bool vote) {
    const CalledByKernel here;
    return existing_worker->sync_named_barrier(static_cast<unsigned>(id), static_cast<unsigned>(threads), vote,
                                               __builtin_return_address(0));
}
void arrive_at_named_barrier(std::uint64_t id, std::uint64_t threads) {
    const CalledByKernel here;
    existing_worker->arrive_at_named_barrier(static_cast<unsigned>(id), static_cast<unsigned>(threads),
                                             __builtin_return_address(0));
}

unsigned sync_tile(unsigned tile_threads, bool vote) {
    const CalledByKernel here;
    return existing_worker->sync_tile(tile_threads, vote, __builtin_return_address(0));
}
void put_into_tile(unsigned tile_threads, unsigned place, std::uint64_t value) {
    const CalledByKernel here;
    existing_worker->place_in_tile(tile_threads, place) = value;
}
std::uint64_t get_from_tile(unsigned tile_threads, unsigned place) {
    const CalledByKernel here;
    return existing_worker->place_in_tile(tile_threads, place);
}

}  // namespace emulator
