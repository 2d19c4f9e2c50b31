// A block of 64 threads for each key: all look, and shared memory tells what was found.

#include "common/check.h"

__global__ void find_kernel(const int* begin, int buckets, const unsigned* keys, const unsigned* values,
                            const unsigned* wanted, unsigned* found) {
    __shared__ unsigned value;
    if (threadIdx.x == 0) value = 0;
    __syncthreads();
    const unsigned key = wanted[blockIdx.x];
    for (int k = begin[key % buckets] + threadIdx.x; k < begin[key % buckets + 1]; k += blockDim.x)
        if (keys[k] == key) value = values[k];
    __syncthreads();
    if (threadIdx.x == 0) found[blockIdx.x] = value;
}

void find_all(const int* begin, int buckets, const unsigned* keys, const unsigned* values, const unsigned* wanted,
              int n, unsigned* found) {
    if (n == 0) return;
    find_kernel<<<n, 64>>>(begin, buckets, keys, values, wanted, found);
    CUDA_CHECK_LAUNCH();
}
