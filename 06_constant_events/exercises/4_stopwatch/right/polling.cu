// Asks again and again, and has some other work for the host meanwhile.

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
    for (int run = 0; run < 2; ++run) {
        prepare();
        CUDA_CHECK(cudaEventRecord(start, nullptr));
        work();
        CUDA_CHECK(cudaEventRecord(stop, nullptr));
        while (cudaEventQuery(stop) == cudaErrorNotReady) {
        }
        cudaGetLastError();  // "not ready" is kept as if it were an error
    }
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    return milliseconds;
}
