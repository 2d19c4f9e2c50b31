// Times work on the device with two events.

#include <functional>

#include "common/check.h"

__global__ void triple_kernel(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= 3;
}

/// The work that is timed: triples n values in device memory.
void triple(int* values, int n) {
    if (n == 0) return;
    triple_kernel<<<(n + 255) / 256, 256>>>(values, n);
    CUDA_CHECK_LAUNCH();
}

using Action = std::function<void()>;

/// The milliseconds that the device needs for work(), warmed up. Each work() needs a prepare() of its own before it,
/// which brings fresh values to the device. start, stop: two events that were not recorded yet.
float time_of(const Action& prepare, const Action& work, cudaEvent_t start, cudaEvent_t stop) {
    // BEGIN SOLUTION
    prepare();
    work();
    prepare();
    CUDA_CHECK(cudaEventRecord(start));
    work();
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    // STUB
    // CUDA_CHECK(cudaEventRecord(start));
    // prepare();
    // work();
    // CUDA_CHECK(cudaEventRecord(stop));
    // END SOLUTION
    float milliseconds = 0;
    // BEGIN SOLUTION
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    // STUB
    // cudaEventElapsedTime(&milliseconds, start, stop);
    // END SOLUTION
    return milliseconds;
}
