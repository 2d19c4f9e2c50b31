#pragma once

#include <algorithm>
#include <cstdint>

#include "common/device.h"
#include "pi.h"

// How the stages from 6_one_kernel on add the sums of all threads, in the launch that computes them.
namespace pi {

inline constexpr unsigned warp_size = 32;
inline constexpr unsigned block_size = 256;
inline constexpr unsigned blocks_per_multiprocessor = 6;  // 1536 threads, with up to 42 registers each

/// As many blocks as the device holds at once, or fewer for few terms. A thread takes `each` terms in a round.
inline unsigned blocks_for(Terms terms, std::int64_t each) {
    const std::int64_t needed = (terms.last - terms.first) / (each * block_size) + 1;
    const std::int64_t resident = multiprocessors() * blocks_per_multiprocessor;
    return static_cast<unsigned>(std::min({needed, resident, std::int64_t{Workspace<double>::max_blocks}}));
}

/// The additions of a term: those of its thread, which takes `each` terms in a round, and of finish().
inline double additions(Terms terms, std::int64_t each) {
    const unsigned blocks = blocks_for(terms, each);
    const std::int64_t steps = (terms.last - terms.first) / (each * blocks * block_size) + 1;
    const std::int64_t shuffles = 5 + 5;  // log2(warp_size), twice; again in the last block
    return static_cast<double>(steps + shuffles + blocks / block_size + 1 + shuffles);
}

/// Lane 0 gets the sum of all lanes; the others get something else.
template <class T>
__device__ T warp_sum(T sum) {
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

/// Thread 0 gets the sum over the block. Every thread of the block must call it.
template <class T>
__device__ T block_sum(T sum) {
    constexpr unsigned warps = block_size / warp_size;
    __shared__ T warp_sums[warps];
    const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;

    sum = warp_sum(sum);
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < warps ? warp_sums[lane] : T{0}) : T{0};
}

/// *result = factor · Σ sum over all threads of the grid, which must all call it. The last block to arrive adds the
/// sums of all blocks, in the order of the blocks' numbers: the order of their arrival does not change the result.
template <class T>
__device__ void finish(T sum, T factor, T* result, Workspace<T>* workspace) {
    __shared__ bool last;
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        workspace->block_sums[blockIdx.x] = sum;
        __threadfence();  // release: the sum is written before the block is counted
        last = atomicInc(&workspace->arrived, gridDim.x - 1) == gridDim.x - 1;
        if (last) __threadfence();  // acquire: the sums are read after the count, by all threads behind the barrier
    }
    __syncthreads();
    if (!last) return;  // the whole block or none of it

    T total = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += block_size) total += workspace->block_sums[b];
    total = block_sum(total);
    if (threadIdx.x == 0) *result = factor * total;
}

}  // namespace pi
