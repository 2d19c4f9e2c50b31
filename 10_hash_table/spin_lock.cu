// What a spin lock does if 32 lanes of one warp want it. Two ways to count to 32 behind it, and one that hangs: the
// naive one in lockstep, as lanes ran before Volta (2017). Later devices do not run so, and neither does the emulator:
// here a barrier of the warp stands where lanes in lockstep would wait for each other.

#include <cstdio>

#include "common/check.h"
#include "common/device_buffer.h"
#include "harness/command_line.h"
#include "harness/output.h"
#include "harness/program.h"

namespace {

constexpr unsigned warp_size = 32;

__device__ bool try_lock(int* mutex) {
    const bool mine = atomicCAS(mutex, 0, 1) == 0;
    __threadfence();
    return mine;
}

__device__ void unlock(int* mutex) {
    __threadfence();
    atomicExch(mutex, 0);
}

/// The classic version's way: only one lane at a time wants the lock.
__global__ void in_turns(int* mutex, int* count) {
    for (unsigned lane = 0; lane < warp_size; ++lane)
        if (threadIdx.x == lane) {
            while (!try_lock(mutex)) continue;
            ++*count;
            unlock(mutex);
        }
}

/// Another way: the lane that gets the lock works inside the loop, and frees the lock before the others try again.
__global__ void inside_the_loop(int* mutex, int* count) {
    for (bool done = false; !done;)
        if (try_lock(mutex)) {
            ++*count;
            unlock(mutex);
            done = true;
        }
}

/// The naive way in lockstep, a deadlock: the lane with the lock waits behind the loop for the other lanes, and they
/// wait for the lock.
__global__ void lockstep(int* mutex, int* count) {
    while (!try_lock(mutex)) continue;
    __syncwarp();
    ++*count;
    unlock(mutex);
}

void run(const char* name, void (*kernel)(int*, int*)) {
    DeviceBuffer<int> memory(2);
    CUDA_CHECK(cudaMemset(memory.data(), 0, 2 * sizeof(int)));
    std::printf("%-18s", name);
    flush_output();
    kernel<<<1, warp_size>>>(memory.data(), memory.data() + 1);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    const int count = memory.to_host()[1];
    std::printf("counted to %d\n", count);
    if (count != static_cast<int>(warp_size)) throw wrong_result(std::string(name) + ": lost a count");
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        bool hang = false;
        CommandLine line("spin_lock", "32 lanes of a warp and one lock.");
        line.flag("--lockstep", hang, "Run the naive lock in lockstep: it never ends, and the emulator says why");
        line.parse(argc, argv);
        std::printf("%s\n\n", device_line().c_str());
        run("in_turns", in_turns);
        run("inside_the_loop", inside_the_loop);
        if (hang && !on_emulator())
            throw usage_error("--lockstep: a GPU would hang until the driver ends it; run it on the emulator");
        if (hang) run("lockstep", lockstep);
    });
}
