#pragma once

#include <cstdarg>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "block.h"
#include "claimed_blocks.h"
#include "emulator/engine.h"
#include "fault_handler.h"
#include "fiber.h"
#include "grid.h"
#include "indices.h"
#include "kernel_failure.h"
#include "named_barriers.h"
#include "place.h"
#include "shared_places.h"
#include "spin_clock.h"
#include "warp_operations.h"
#include "watched_worker.h"

namespace emulator {

/// An OS thread that runs blocks: one after another, unless all threads of a block wait for other blocks. It is to a
/// grid what a multiprocessor is. docs/inside.md tells "the life of a launch" step by step.
///
/// Here is what runs next: which block, which thread of it, on which fiber. Members have the rest: the blocks that are
/// this worker's, the places of shared variables, the operations of warps, failure, and what the watchdog sees.
class Worker {
  public:
    Worker();
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Runs blocks of the grid until there are no more. A failure is reported, ends the grid and marks it failed.
    void run(Grid& grid);

    /// Whether the OS thread is running a thread of a kernel right now.
    bool in_kernel() const { return watched_.in_kernel(); }
    bool is_on_a_stack(std::uintptr_t address) const { return pool_.is_on_a_stack(address); }
    /// Whether the address is in the shared memory of a block of this worker.
    bool is_in_shared_memory(std::uintptr_t address) const;

    /// A thread of the kernel has touched memory: a closed allocation, which is opened then, or what it may not touch.
    /// Called from the signal handler, which it leaves.
    void faulted(const Fault& fault, void* context);

    void sync_threads(const void* code, WarpOperation operation = WarpOperation::none);
    void arrive_at_barrier(const void* code, void* context, void* frame);
    Fiber* arrive_at_barrier_unusually();
    unsigned sync_threads_count(bool predicate, const void* code);
    bool is_cooperative() const { return grid_->cooperative; }
    void sync_grid(const void* code);

    // named_barriers.cpp
    unsigned sync_named_barrier(unsigned id, unsigned threads, bool vote, const void* code);
    void arrive_at_named_barrier(unsigned id, unsigned threads, const void* code);
    unsigned sync_tile(unsigned tile_threads, bool vote, const void* code);
    std::uint64_t& place_in_tile(unsigned tile_threads, unsigned place);

    // clusters.cpp
    const dim3* cluster_dim() const { return grid_->has_clusters() ? &grid_->cluster : nullptr; }
    void arrive_at_cluster(const void* code, bool releases);
    void wait_for_cluster(const void* code);
    unsigned rank_in_cluster() const;
    const ResidentBlock* owner_in_cluster(std::uintptr_t address) const;
    char* shared_of_rank(unsigned rank) const;

    std::uint64_t warp_operation(Place place, std::uint64_t value, unsigned source);
    void lockstep(Place place);
    void relax(const void* code);
    void wait_a_turn(const void* code, const void* for_ever, const std::uint64_t* barrier);
    /// Other threads run, and then the present one goes on. `works`: it does not only wait for them. `of_other_block`:
    /// those of another block, and of one that has not begun, if there is one.
    void step_aside(const void* code, bool works, bool of_other_block) {
        if (works) watched_.count_progress();
        yield(code, of_other_block, WarpOperation::spin, of_other_block);
    }
    void thread_ended(unsigned x, unsigned y, unsigned z);
    int print(unsigned place, const char* format, std::va_list arguments);
    std::uint64_t place_shared(std::size_t bytes, std::size_t alignment, std::uint64_t* known);

    /// What a fiber does for all its life.
    [[noreturn]] void carry();

    KernelFailure& failure() { return failure_; }

    /// For the watchdog.
    WatchedWorker& watched() { return watched_; }

    /// The kernel's thread that runs has been at it for long. Called from the signal handler, which it leaves if others
    /// are to get their turn.
    void interrupted(void* context);

  private:
    bool next_block_is_alike();
    void begin_threads(ResidentBlock& block);
    bool take_shuffled_thread(ResidentBlock& block);
    static bool all_started(const ResidentBlock& block);
    static bool can_go_on(const ResidentBlock& block);
    bool claim_block(ResidentBlock& block);
    void begin_block(ResidentBlock& block, uint3 index);
    ResidentBlock* claim_cluster();
    ResidentBlock& unused_block();
    ResidentBlock* another_of_cluster(const ResidentBlock& block) const;
    ResidentBlock* behind_block_of_cluster();
    bool go_on_in_cluster();
    void open_for_those_left(Cluster& cluster);
    void open_cluster_barrier(Cluster& cluster);
    Cluster& cluster_here();
    [[noreturn]] void fail_at_cluster_barrier(const char* what, const void* code);
    void enter(ResidentBlock& block);
    void leave_block(bool begin_another, double seconds);
    ResidentBlock* another_begun_block();
    ResidentBlock* another_new_block();
    unsigned active_blocks() const;
    void no_thread_left_to_start();
    void look_for_lacking_bytes(const ResidentBlock& block);
    void release_barrier();
    std::string mistake_at_named_barrier(unsigned id, unsigned threads, bool waits) const;
    NamedBarriers& named_barriers();
    NamedBarrier& named_barrier(unsigned id, unsigned threads, const void* code);
    void require_named_barrier(unsigned id, unsigned threads, bool waits, const void* code);
    unsigned come_to_named_barrier(unsigned id, unsigned threads, bool vote, bool waits, const void* code);
    void warp_arrives(ResidentBlock& block, NamedBarrier& barrier, unsigned w, const void* code);
    void open_named_barrier(ResidentBlock& block, NamedBarrier& barrier);
    void release_named_barriers(ResidentBlock& block);
    static void fetch_behind(const Fiber* next);
    Fiber* set_current(Fiber* to);
    void switch_to(Fiber* to);
    [[noreturn]] void leave_for(Fiber* to);
    void wait();
    void yield(const void* code, bool interrupted, WarpOperation operation = WarpOperation::spin,
               bool to_other_block = false);
    void wait_for_grid(const void* code);
    void go_on_with(Fiber* next);
    void mark_parked();
    bool usually_goes_on() const;
    Fiber* next_fiber();
    [[gnu::noinline]] Fiber* find_next_fiber();
    void forget_waiting(ResidentBlock& block);
    void release_stuck();
    void release_what_ended_threads_kept();
    void stop_if_overdue();
    std::string who_waits_where() const;
    void report_stuck(const char* what);
    void clean_up_after_failure();

    Grid* grid_ = nullptr;
    std::vector<std::unique_ptr<ResidentBlock>> blocks_;  // one, and more when blocks wait for each other
    ResidentBlock* here_;                                 // whose threads run
    std::vector<std::unique_ptr<Cluster>> clusters_;
    ClaimedBlocks claimed_;
    SharedPlaces shared_;

    Fiber own_stack_;
    Fiber* current_ = &own_stack_;
    FiberPool pool_;
    unsigned threads_ = 0;  // of a block
    unsigned warps_in_block_ = 0;

    std::uint64_t computed_ = 0;   // progress that was only seen by interrupting a thread
    std::size_t blocks_left_ = 0;  // since this worker last gave its core away
    SpinClock spinning_;

    SignalStack signal_stack_;
    KernelFailure failure_{pool_};
    WarpOperations warps_{watched_, failure_};

    unsigned interruptions_ = 0;
    unsigned overdue_looks_ = 0;

    std::optional<std::uint64_t> shuffle_;

    WatchedWorker watched_;  // the last: there is nothing to see while the others are made and destroyed
};

/// Whether map_to_cluster() gave the address for a rank that no block of the cluster has.
bool is_of_no_block(std::uintptr_t address);

/// The worker of the calling OS thread; made on first use.
Worker& this_worker();

/// The same, or null if the thread has none yet.
EMULATOR_TLS Worker* existing_worker;

}  // namespace emulator
