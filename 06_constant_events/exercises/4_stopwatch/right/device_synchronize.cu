// Waits for all that the device has to do.

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

float time_of(const Action& prepare, const Action& work, cudaEvent_t start, cudaEvent_t stop) {
    const auto run = [&] {
        prepare();
        CUDA_CHECK(cudaDeviceSynchronize());
        CUDA_CHECK(cudaEventRecord(start));
        work();
        CUDA_CHECK(cudaEventRecord(stop));
        CUDA_CHECK(cudaDeviceSynchronize());
    };
    run();  // the warm-up
    run();
    float milliseconds = -1;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    return milliseconds;
}
