// The threads of a block count in shared memory, and one of them takes the places for all.

#include "common/check.h"

__global__ void keep_kernel(const float* values, int n, float* kept, int* count) {
    __shared__ int found, first;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool keep = i < n && values[i] > 0;
    const int mine = keep ? atomicAdd(&found, 1) : 0;
    __syncthreads();
    if (threadIdx.x == 0 && found > 0) first = atomicAdd(count, found);
    __syncthreads();
    if (keep) kept[first + mine] = values[i];
}

void keep_positive(const float* values, int n, float* kept, int* count) {
    CUDA_CHECK(cudaMemset(count, 0, sizeof(int)));
    if (n == 0) return;
    keep_kernel<<<(n + 127) / 128, 128>>>(values, n, kept, count);
    CUDA_CHECK_LAUNCH();
}
