// Cooperative groups have the shuffles as members; thread 0 adds the warps' sums alone.

#include <cooperative_groups.h>

#include "common/check.h"

namespace cg = cooperative_groups;

__device__ float block_sum(float value) {
    __shared__ float sums[8];
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    for (unsigned distance = warp.size() / 2; distance > 0; distance /= 2) value += warp.shfl_down(value, distance);
    if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = value;
    block.sync();
    float sum = 0;
    if (block.thread_rank() == 0)
        for (const float one : sums) sum += one;
    return sum;
}

__global__ void dot_kernel(const float* a, const float* b, int n, float* result) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd(result, sum);
}

void dot(const float* a, const float* b, int n, float* result) {
    CUDA_CHECK(cudaMemset(result, 0, sizeof(float)));
    dot_kernel<<<16, 256>>>(a, b, n, result);
    CUDA_CHECK_LAUNCH();
}
