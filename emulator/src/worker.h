#pragma once

#include <atomic>
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

    void sync_threads();
    void* allocate_shared(std::size_t bytes, std::size_t alignment);
    void* dynamic_shared_memory() const { return dynamic_shared_; }

  private:
    static void carrier();

    bool claim_block();
    void no_thread_left_to_start();
    void release_barrier();
    void switch_to(Fiber* to);
    void report(const Fault& fault);
    void report(cudaError_t error, const std::string& what);
    void clean_up_after_failure();

    Grid* grid_ = nullptr;
    Block block_;
    std::uint64_t next_block_ = 0, claimed_ = 0;  // blocks of the grid that are this worker's to run

    Fiber own_stack_;
    Fiber* current_ = &own_stack_;
    FiberPool pool_{&carrier};
    FiberQueue ready_;    // may go on
    FiberQueue waiting_;  // at the block's barrier
    unsigned arrived_ = 0;

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
