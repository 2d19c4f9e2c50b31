#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "../engine/indices.h"
#include "access.h"
#include "checked_block.h"
#include "launch.h"
#include "vector_clock.h"

// Which accesses of two threads are ordered. It keeps the vector clocks, as kernels synchronise:
//
//   a barrier of the block         ends a phase of the block
//   a barrier of the grid, launch  ends the numbers of its blocks: CheckedLaunch
//   __syncwarp(), shuffles, votes  join the vector clocks of the lanes that meet
//   __threadfence()                keeps what the thread knows, for its releases
//   atomic operation               is a release, if the thread has passed a fence, and an acquire
//   store through volatile         is a release, if the thread has passed a fence
//   load through volatile          is an acquire
//   named barrier (bar.sync 1, n)  is a release of each thread that arrives, and an acquire of each that waits
//   barrier of a cluster           is a release of each block's, and an acquire of each thread that waits for it
//
// A __threadfence_block() serves threads of its own block only. Releases and acquires by atomic operations of block
// scope count for all: where two blocks meet at one, the two operations themselves race.
//
// With EMULATOR_ACQUIRE_FENCES in the environment both are an acquire only when a fence has followed them, of the
// thread itself or, behind a barrier, of the one that goes on. And then a plain store races with loads through
// volatile.
namespace emulator {

class HappensBefore {
  public:
    explicit HappensBefore(CheckedLaunch& launch) : launch_(launch) {}

    /// Whether the memory model is taken at its word: EMULATOR_ACQUIRE_FENCES.
    bool is_strict() const { return strict_; }

    void launch_begins();
    void grid_barrier_opens();
    void barrier_opens(CheckedBlock& block);
    void lanes_meet(CheckedBlock& block, unsigned warp, unsigned lanes);

    /// What the present thread has done, and what it knows of.
    ReleaseFence known_here();
    /// Whether the thread whose fence that is knew of an access of its block.
    static bool covers(const ReleaseFence& fence, unsigned thread, Access before) {
        return fence.any && (before.phase < fence.phase ||
                             (before.phase == fence.phase && before.thread / 32 == thread / 32 &&
                              fence.clock[before.thread % 32] > before.clock) ||
                             knows(fence.known.get(), before));
    }

    // What the present thread does.
    void fence(bool for_all_blocks);
    void release(std::uintptr_t address) {
        const CheckedBlock& block = *launch_.block;
        if (block.fences_used || block.fenced_phases.block != 0) release_behind_fence(address);
    }
    /// The same as a fence for this release alone.
    void release_all_before(std::uintptr_t address, bool for_all_blocks);
    void acquire(std::uintptr_t address, std::uintptr_t code) { acquire(address, code, !is_strict()); }
    /// Not `at_once`: only a fence that follows makes an acquire of it.
    void acquire(std::uintptr_t address, std::uintptr_t code, bool at_once) {
        CheckedBlock& block = *launch_.block;
        const unsigned thread = thread_number(threadIdx);
        block.acquires_used = true;
        block.acquires_at_once[thread] = at_once;
        block.acquired_by[thread] = code;
        block.acquired_at[thread] = address;
        acquire_again();
    }
    /// What is there may have been written until now: others had their turn.
    void acquire_again() {
        if (!releases_.empty() || primary_awaited_) acquire_released();
    }

    /// The present thread waits for the kernel ahead of its own.
    void await_primary();

    // A cuda::barrier of the block: the present thread arrives, all have arrived, the present thread has waited for it.
    void arrive(BarrierObject& barrier);
    static void complete(BarrierObject& barrier, std::uint32_t phase_of_block);
    void waited(const BarrierObject& barrier);
    void waited(const BarrierObject& barrier, unsigned thread);

    // The barrier of a cluster: the present thread arrives, all have arrived, the present thread has waited for it.
    void arrive_at_cluster(bool releases);
    void cluster_barrier_opens(Cluster& cluster);
    void has_waited_for_cluster(const Cluster& cluster);

    /// Whether the present thread knows that the block has begun.
    bool knows_of_begin(const CheckedBlock& other) const;
    /// Whether what another block did happened before the present one, all of whose threads have ended, ended.
    bool is_before_end(Access before) const;

    /// The present thread is about to load through volatile. The load itself comes after the hook, and others may run
    /// in between: it is an acquire now, and another one when the next thing is heard of the thread.
    void begin_volatile_load(std::uintptr_t address, std::uintptr_t code);
    bool is_loading() const { return !loading_.empty(); }
    void complete_volatile_load() {
        if (!loading_.empty()) complete_this_load();
    }

    /// Whether `before`, of this launch, happened before `now`, which the present block does; both to that memory.
    [[gnu::noinline]] bool ordered(const ShadowMemory& shadow, Access before, Access now) const {
        // The memory of another block that is there no more.
        if (before.block != now.block && shadow.owner != nullptr && !launch_.is_in_cluster(before)) return true;
        if (!launch_.is_recent(before)) return is_before_launch(shadow, before, now);
        if (before.clock == VectorClock::last) return true;
        if (before.block == now.block) {
            if (before.phase < now.phase) return true;
            const CheckedBlock& block = *launch_.block;
            if (same_warp(before, now) && block.clocks[now.thread][before.thread % 32] > before.clock) return true;
            if (block.known_used && knows(block.known[now.thread].get(), before)) return true;
        }
        return released_and_acquired(before, now, before.block != now.block);
    }

    /// Whether nothing but barriers of blocks and warps has ordered anything in this launch yet.
    bool has_only_barriers() const { return releases_.empty() && !launch_.block->known_used && !primary_awaited_; }

    /// Whether the two, of different blocks, would be ordered if fences of block scope were fences for all blocks.
    bool ordered_by_wider_fences(Access before, Access now) const {
        return before.block != now.block && released_and_acquired(before, now, false);
    }

    /// Whether the two would be ordered if the relaxed operations of the second thread were acquires.
    bool ordered_by_acquire(Access before, Access now) const {
        return released_and_acquired(before, now, before.block != now.block, launch_.block->unfenced[now.thread]);
    }

  private:
    struct Release {
        std::uint64_t time;
        unsigned thread;
        std::uint32_t phase;
        OfScope<ReleaseFence> fence;
        OfScope<std::uint32_t> fenced_phases;  // A fence of another thread before the block's last barrier serves, too.
    };

    bool is_before_launch(const ShadowMemory& shadow, Access before, Access now) const;
    void may_know_primary(unsigned thread);
    static bool knows(const BlockClock* clock, Access before) {
        return clock != nullptr && clock->phase() == before.phase && (*clock)[before.thread] > before.clock;
    }
    void release_behind_fence(std::uintptr_t address);
    void acquire_released();
    void hand_on(std::uintptr_t address, const Release& release);
    void complete_this_load();
    bool released_and_acquired(Access before, Access now, bool for_other_block, std::uint64_t acquired_too = 0) const;
    bool has_few_blocks() const;

    CheckedLaunch& launch_;
    bool strict_ = false;
    std::uint64_t time_ = 0;                                                // counts releases and acquires
    std::unordered_map<std::uint64_t, std::vector<Release>> releases_;      // of each block
    std::unordered_map<std::uint64_t, SparseVectorClock> clocks_;           // of each block
    std::unordered_map<std::uint64_t, SparseVectorClock> unfenced_clocks_;  // what a fence of the block would add
    std::unordered_map<std::uintptr_t, SparseVectorClock> address_clocks_;  // handed on at each address
    std::vector<std::uint64_t> loading_;                                    // threads, through volatile
    bool primary_awaited_ = false;  // Some thread of the launch has called cudaGridDependencySynchronize().
};

}  // namespace emulator
