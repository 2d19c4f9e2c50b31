#pragma once

// Adding up the rows of a tile of the merge path, as stage 6 does it, for the stages after it.

#include "merge_path.h"

namespace sparse {

/// Adds each thread's sum to sums[row]. The rows ascend from thread to thread. Lanes of the same row add up theirs
/// first, so that one lane of them speaks for all.
__device__ inline void add_to_rows(int row, float sum, float* sums) {
    constexpr unsigned warp_size = 32, all_lanes = 0xffffffff;
    const unsigned lane = threadIdx.x % warp_size;
    for (unsigned distance = 1; distance < warp_size; distance *= 2) {
        const float left = __shfl_up_sync(all_lanes, sum, distance);
        const int row_of_left = __shfl_up_sync(all_lanes, row, distance);
        if (lane >= distance && row_of_left == row) sum += left;
    }
    const int row_of_right = __shfl_down_sync(all_lanes, row, 1);
    if (lane == warp_size - 1 || row_of_right != row) atomicAdd(&sums[row], sum);
}

/// sums[row] becomes the sum of that row's products, for the rows that end in the tile and for the one that goes on
/// behind it. All in shared memory, and the whole block calls it. row_ends and sums: rows + 1 of them.
template <unsigned steps_per_thread>
__device__ void add_up(int rows, int entries, const float* products, const int* row_ends, float* sums) {
    const int first = min(threadIdx.x * steps_per_thread, rows + entries);
    const int last = min(first + steps_per_thread, rows + entries);
    auto [row, entry] = place_after(first, row_ends, rows, entries);
    float sum = 0;
    for (int step = first; step < last; ++step) {
        if (entry < row_ends[row]) {
            sum += products[entry++];
        } else {
            sums[row++] = sum;
            sum = 0;
        }
    }
    if (threadIdx.x == 0) sums[rows] = 0;
    __syncthreads();
    add_to_rows(row, sum, sums);
    __syncthreads();
}

}  // namespace sparse
