// New here: the 32 lanes of a warp read each other's registers, without shared memory and without a barrier. Five such
// shuffles make one sum of 32. Only the 8 sums of the warps still meet in shared memory.
// What it should save: eight of nine barriers, and nearly all of the tree's reads and writes.
// What remains: a load brings only 4 bytes, and each addition of a thread waits for the one before.

#include <algorithm>

#include "common/check.h"
#include "common/device.h"
#include "dot_product.h"
#include "roundings.h"

namespace dot_product {
namespace {

constexpr unsigned block_size = 256;
constexpr unsigned blocks_per_multiprocessor = 8;
constexpr unsigned warp_size = 32;
constexpr unsigned warps = block_size / warp_size;

/// Lane 0 gets the sum of all lanes. What the other lanes get is of no use.
__device__ float warp_sum(float sum) {
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

/// Thread 0 gets the sum over the block.
__device__ float block_sum(float sum) {
    __shared__ float warp_sums[warps];
    const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;

    sum = warp_sum(sum);
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < warps ? warp_sums[lane] : 0) : 0;  // All lanes of a warp take the same way.
}

__device__ void add_to_result(float block_sum, Workspace* workspace, float* result) {
    atomicAdd(&workspace->sum, block_sum);
    __threadfence();  // Others see the sum no later than the count.
    const bool last = atomicInc(&workspace->arrived, gridDim.x - 1) == gridDim.x - 1;
    if (!last) return;
    __threadfence();  // The sum is read after the count.
    *result = atomicExch(&workspace->sum, 0.0f);
}

__global__ void dot(const float* a, const float* b, std::size_t n, float* result, Workspace* workspace) {
    float sum = 0;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) sum += a[i] * b[i];

    sum = block_sum(sum);
    if (threadIdx.x == 0) add_to_result(sum, workspace, result);
}

unsigned blocks_for(std::size_t n) {
    const std::size_t resident = multiprocessors() * blocks_per_multiprocessor;
    return static_cast<unsigned>(std::clamp<std::size_t>((n + block_size - 1) / block_size, 1, resident));
}

}  // namespace

void warp_shuffle(const float* a, const float* b, std::size_t n, float* result, Workspace* workspace) {
    dot<<<blocks_for(n), block_size>>>(a, b, n, result, workspace);
    CUDA_CHECK_LAUNCH();
}

static std::size_t roundings(std::size_t n) {
    return in_thread(n, std::size_t{blocks_for(n)} * block_size) + in_tree(warp_size) + in_tree(warps) + blocks_for(n);
}

STAGES(Stage{{"lanes hand over registers: 1 barrier, not 9", warp_shuffle}, roundings, true});

}  // namespace dot_product
