#pragma once

#include <atomic>
#include <chrono>
#include <csetjmp>
#include <cstdint>
#include <string>

#include "emulator/engine.h"
#include "fault.h"
#include "fiber.h"

namespace emulator {

/// A launch that is being run.
struct Grid {
    const char* kernel;
    dim3 grid, block;
    std::size_t shared_bytes;
    void (*run_threads)(const void*);
    const void* body;
    std::uint64_t blocks;
    std::atomic<std::uint64_t> next_block = 0;
    std::atomic<bool> failed = false;
};

/// What the lanes of a warp have brought to the operations in which they wait.
struct Warp {
    unsigned live = 0;     // lanes that may still come: those that have ended leave it when somebody waits for them
    unsigned parked = 0;   // lanes whose threads have waited for something and have not ended yet
    unsigned waiting = 0;  // lanes that wait in an operation
    Fiber* fibers[32];
    Place places[32];
    std::uint64_t values[32];  // brought, and then the result
    unsigned sources[32];
};

/// An OS thread that runs blocks.
class Worker {
  public:
    Worker();
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Runs blocks of the grid until there are no more. A failure is reported, ends the grid and marks it failed.
    void run(Grid& grid);

    /// Whether the OS thread is running a thread of a kernel right now.
    bool in_kernel() const { return in_kernel_; }

    /// Gives up the kernel because of `fault`. Called from the signal handler, on the handler's own stack.
    [[noreturn]] void escape(const Fault& fault);

    void sync_threads(const void* code);
    unsigned sync_threads_count(bool predicate, const void* code);
    std::uint64_t warp_operation(Place place, std::uint64_t value, unsigned source);
    void lockstep(Place place);
    void relax(const void* code);
    void thread_ended();
    [[noreturn]] void trap(const void* code);
    [[noreturn]] void fail_assertion(const char* assertion, const char* file, unsigned line, const char* function);
    void* allocate_shared(std::size_t bytes, std::size_t alignment);
    void* dynamic_shared_memory() const { return dynamic_shared_; }

    /// What a fiber does for all its life.
    [[noreturn]] void carry();

  private:
    bool claim_block();
    void no_thread_left_to_start();
    void release_barrier();
    void switch_to(Fiber* to);
    void wait();
    void go_on_with(Fiber* next);
    void mark_parked();
    Fiber* next_fiber();
    void forget_waiting();
    void release_stuck();
    void release_what_ended_threads_kept();
    void release_stuck_warp(Warp& warp);
    void release_active_lanes(Warp& warp);
    void release_lockstep(Warp& warp);
    unsigned lanes_at(const Warp& warp, const Place& place) const;
    void complete(Warp& warp, WarpOperation operation, unsigned lanes);
    void check_spinning();
    [[noreturn]] void give_up();
    void report_stuck(const char* what);
    void report(const Fault& fault);
    void report(cudaError_t error, const std::string& what);
    void clean_up_after_failure();

    Grid* grid_ = nullptr;
    Block block_;
    std::uint64_t next_block_ = 0, claimed_ = 0;  // blocks of the grid that are this worker's to run

    Fiber own_stack_;
    Fiber* current_ = &own_stack_;
    FiberPool pool_;
    FiberQueue ready_;    // may go on
    FiberQueue waiting_;  // at the block's barrier
    unsigned arrived_ = 0;
    unsigned expected_ = 0;    // threads at the barrier that surely are all; the fewer that are left, the later known
    unsigned threads_ = 0;     // of a block
    unsigned votes_ = 0;       // of the threads that have arrived
    unsigned last_votes_ = 0;  // when the barrier was last released
    bool any_parked_ = false;  // a thread of this block has waited
    unsigned warps_in_block_ = 0;
    Warp warps_[32];

    unsigned spins_ = 0;                              // calls of relax() in a row
    unsigned idle_spins_ = 0;                         // times that threads gave way since anything else was done
    std::uint64_t relaxed_progress_ = 0;              // what had been done then
    std::uint64_t progress_ = 0, spin_progress_ = 0;  // what else than spinning has been done; when spinning began
    std::chrono::steady_clock::time_point spin_begin_;

    char* arena_;  // shared memory: static variables from its start, the dynamic part behind them
    std::size_t shared_used_ = 0;
    char* dynamic_shared_ = nullptr;

    SignalStack signal_stack_;
    sigjmp_buf given_up_;
    bool in_kernel_ = false;
};

/// The worker of the calling OS thread; made on first use.
Worker& this_worker();

/// The same, or null if the thread has none yet.
EMULATOR_TLS Worker* existing_worker;

}  // namespace emulator
