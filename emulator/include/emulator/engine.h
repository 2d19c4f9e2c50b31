#pragma once

#include <cstddef>

#include "emulator/types.h"

// How a grid runs: blocks are handed to a few OS threads (workers); a worker runs a block's threads one after another
// on one fiber. Only when a thread has to wait is that fiber parked and another one takes up the threads not yet
// started, so a kernel without barriers is a plain loop.

// A kernel's built-in variables. One set per worker, kept right as it switches from thread to thread.
#define EMULATOR_TLS extern __thread __attribute__((tls_model("initial-exec")))
EMULATOR_TLS uint3 threadIdx;
EMULATOR_TLS uint3 blockIdx;
EMULATOR_TLS dim3 blockDim;
EMULATOR_TLS dim3 gridDim;
inline constexpr int warpSize = 32;

namespace emulator {

/// Where a worker stands in the block that it runs. The index of the next thread to start has members of different
/// sizes on purpose: of equal ones the compiler loads two with one instruction, and that has to wait for the store of
/// one of them just before, which costs more than a small kernel's whole thread.
struct Block {
    unsigned next_x = 0;
    unsigned short next_y = 0;
    unsigned short next_z = 0;  ///< blockDim.z when all threads have started
    unsigned threads = 0;       ///< in the block
    unsigned exited = 0;        ///< of them
    std::size_t serial = 0;     ///< another number for each block that this worker runs

    /// Makes the caller the next thread of the block; false if all have started.
    bool start_next_thread() {
        if (next_z == blockDim.z) return false;
        threadIdx.x = next_x;
        threadIdx.y = next_y;
        threadIdx.z = next_z;
        if (++next_x == blockDim.x) {
            next_x = 0;
            if (++next_y == blockDim.y) {
                next_y = 0;
                ++next_z;
            }
        }
        return true;
    }
};

EMULATOR_TLS Block* this_block;

/// Runs threads of the current block until none is left to start. The body is copied for each thread, since its
/// captures are the kernel's parameters and those are each thread's own.
template <class Body>
void run_threads(const void* erased) {
    const Body& body = *static_cast<const Body*>(erased);
    Block& block = *this_block;
    while (block.start_next_thread()) {
        Body thread_body(body);
        thread_body();
        ++block.exited;
    }
}

/// k<<<grid, block, shared, stream>>>(x) becomes (Launch(grid, block, shared, stream), k(x)): the configuration lives
/// while the kernel's own function, called with the arguments by C++'s rules, finds it and runs the grid.
class Launch {
  public:
    Launch(dim3 grid, dim3 block, std::size_t shared_bytes = 0, cudaStream_t stream = nullptr);
    ~Launch();
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

    const dim3 grid, block;
    const std::size_t shared_bytes;
    const cudaStream_t stream;

  private:
    friend Launch* take_launch();
    Launch* const outer_;  // a launch among the arguments of another
    bool taken_ = false;
};

/// What a kernel's function does with its body. max_threads: what __launch_bounds__ says, else 1024.
void run_grid(const char* kernel, unsigned max_threads, void (*run_threads)(const void*), const void* body);

template <class Body>
void run_kernel(const char* kernel, unsigned max_threads, const Body& body) {
    run_grid(kernel, max_threads, &run_threads<Body>, &body);
}

/// OS threads that run blocks, the launching one included.
unsigned worker_count();

/// __syncthreads()
void sync_threads();

}  // namespace emulator

#define EMULATOR_KERNEL_BEGIN(max_threads) ::emulator::run_kernel(__PRETTY_FUNCTION__, max_threads, [=]() mutable {
#define EMULATOR_KERNEL_END \
    });
