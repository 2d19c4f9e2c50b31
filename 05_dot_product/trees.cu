// Five ways to make one sum of a block's 256 values, from the first one that comes to mind to the one that adds least
// in a tree. They differ in which threads add which pairs, and so in what a warp's lanes have in common.

#include "trees.h"

#include <algorithm>

#include "common/check.h"
#include "common/device.h"

namespace trees {
namespace {

constexpr unsigned block_size = values_a_sum;  // a power of two, for the trees
constexpr unsigned blocks_per_multiprocessor = 8;
constexpr unsigned warp_size = 32;
constexpr unsigned warps = block_size / warp_size;

// Each function makes one sum of the values of all threads, for thread 0. Every thread of the block must call it.

__device__ float sum_of_neighbours(float value) {
    __shared__ float cache[block_size];
    cache[threadIdx.x] = value;
    __syncthreads();

    for (unsigned distance = 1; distance < block_size; distance *= 2) {
        if (threadIdx.x % (2 * distance) == 0) cache[threadIdx.x] += cache[threadIdx.x + distance];
        __syncthreads();
    }
    return cache[0];
}

__device__ float sum_strided(float value) {
    __shared__ float cache[block_size];
    cache[threadIdx.x] = value;
    __syncthreads();

    for (unsigned distance = 1; distance < block_size; distance *= 2) {
        const unsigned i = 2 * distance * threadIdx.x;
        if (i < block_size) cache[i] += cache[i + distance];
        __syncthreads();
    }
    return cache[0];
}

__device__ float sum_sequential(float value) {
    __shared__ float cache[block_size];
    cache[threadIdx.x] = value;
    __syncthreads();

    for (unsigned distance = block_size / 2; distance > 0; distance /= 2) {
        if (threadIdx.x < distance) cache[threadIdx.x] += cache[threadIdx.x + distance];
        __syncthreads();
    }
    return cache[0];
}

/// For lane 0.
__device__ float warp_sum(float value) {
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffff, value, distance);
    return value;
}

__device__ float sum_by_shuffles(float value) {
    __shared__ float warp_sums[warps];
    const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;

    value = warp_sum(value);
    if (lane == 0) warp_sums[warp] = value;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < warps ? warp_sums[lane] : 0) : 0;
}

/// The blocks go through the sums as threads go through elements in a grid-stride loop.
template <float (*tree)(float)>
__global__ void add_in_blocks(const float* values, std::size_t n, float* sums) {
    for (std::size_t k = blockIdx.x; k * values_a_sum < n; k += gridDim.x) {
        const std::size_t i = k * values_a_sum + threadIdx.x;
        const float sum = tree(i < n ? values[i] : 0);
        if (threadIdx.x == 0) sums[k] = sum;
        __syncthreads();  // The next round overwrites what this one has read.
    }
}

__global__ void add_in_warps(const float* values, std::size_t n, float* sums) {
    const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
    for (std::size_t k = std::size_t{blockIdx.x} * warps + warp; k * values_a_sum < n; k += gridDim.x * warps) {
        float sum = 0;
        for (unsigned j = 0; j < values_a_sum; j += warp_size) {
            const std::size_t i = k * values_a_sum + j + lane;
            sum += i < n ? values[i] : 0;
        }
        sum = warp_sum(sum);
        if (lane == 0) sums[k] = sum;
    }
}

/// As many blocks as the device can hold at once, and no more than there is work for.
unsigned blocks_for(std::size_t work) {
    return static_cast<unsigned>(std::min<std::size_t>(work, multiprocessors() * blocks_per_multiprocessor));
}

template <float (*tree)(float)>
void launch_blocks(const float* values, std::size_t n, float* sums) {
    if (n == 0) return;
    add_in_blocks<tree><<<blocks_for(sums_of(n)), block_size>>>(values, n, sums);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void neighbours(const float* values, std::size_t n, float* sums) {
    launch_blocks<sum_of_neighbours>(values, n, sums);
}

void strided(const float* values, std::size_t n, float* sums) {
    launch_blocks<sum_strided>(values, n, sums);
}

void sequential(const float* values, std::size_t n, float* sums) {
    launch_blocks<sum_sequential>(values, n, sums);
}

void shuffles(const float* values, std::size_t n, float* sums) {
    launch_blocks<sum_by_shuffles>(values, n, sums);
}

void add_first(const float* values, std::size_t n, float* sums) {
    if (n == 0) return;
    add_in_warps<<<blocks_for((sums_of(n) + warps - 1) / warps), block_size>>>(values, n, sums);
    CUDA_CHECK_LAUNCH();
}

}  // namespace trees
