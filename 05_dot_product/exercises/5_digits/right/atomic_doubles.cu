// The warps add into one double.

#include "common/check.h"

__global__ void dot_kernel(const float* a, const float* b, int n, double* total) {
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum = fma(static_cast<double>(a[i]), static_cast<double>(b[i]), sum);
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffff, sum, distance);
    if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

__global__ void to_float(const double* total, float* result) {
    *result = *total;
}

void dot(const float* a, const float* b, int n, float* result, void* workspace) {
    double* total = static_cast<double*>(workspace);
    CUDA_CHECK(cudaMemset(total, 0, sizeof *total));
    dot_kernel<<<40, 96>>>(a, b, n, total);
    to_float<<<1, 1>>>(total, result);
    CUDA_CHECK_LAUNCH();
}
