// The bits of a float are made a number that is in the floats' order; then the maximum of 64-bit numbers does it, in
// each block first. A second kernel makes the value of it again.

#include "common/check.h"

__device__ unsigned long long key_of(float value, unsigned index) {
    const unsigned bits = __float_as_uint(value);
    const unsigned ordered = bits >> 31 ? ~bits : bits | 0x8000'0000u;
    return static_cast<unsigned long long>(ordered) << 32 | (0xffff'ffffu - index);
}

__global__ void offer_all(const float* values, int n, unsigned long long* best) {
    __shared__ unsigned long long of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicMax(&of_block, key_of(values[i], i));
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(best, of_block);
}

__global__ void decode(unsigned long long* best) {
    const auto ordered = static_cast<unsigned>(*best >> 32);
    const unsigned index = 0xffff'ffffu - static_cast<unsigned>(*best);
    const unsigned bits = ordered >> 31 ? ordered & 0x7fff'ffffu : ~ordered;
    *best = *best == 0 ? 0xff80'0000'ffff'ffffull : static_cast<unsigned long long>(bits) << 32 | index;
}

void find_largest(const float* values, int n, unsigned long long* best) {
    CUDA_CHECK(cudaMemset(best, 0, sizeof *best));
    offer_all<<<16, 128>>>(values, n, best);
    decode<<<1, 1>>>(best);
    CUDA_CHECK_LAUNCH();
}
