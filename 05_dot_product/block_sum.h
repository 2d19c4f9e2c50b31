#pragma once

// The sum of a block by shuffles, and of the grid by its last block, as 4_warp_shuffle has them: for the stages after
// it.

#include "dot_product.h"

namespace dot_product {

constexpr unsigned warp_size = 32;

/// Lane 0 gets the sum of all lanes.
__device__ inline float warp_sum(float sum) {
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

/// Thread 0 gets the sum over the block.
template <unsigned warps>
__device__ float block_sum(float sum) {
    __shared__ float warp_sums[warps];
    const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;

    sum = warp_sum(sum);
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < warps ? warp_sums[lane] : 0) : 0;
}

/// By one thread of each block.
__device__ inline void add_to_result(float block_sum, Workspace* workspace, float* result) {
    atomicAdd(&workspace->sum, block_sum);
    __threadfence();  // Others see the sum no later than the count.
    const bool last = atomicInc(&workspace->arrived, gridDim.x - 1) == gridDim.x - 1;
    if (!last) return;
    __threadfence();  // The sum is read after the count.
    *result = atomicExch(&workspace->sum, 0.0f);
}

}  // namespace dot_product
