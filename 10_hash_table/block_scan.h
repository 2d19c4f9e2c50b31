#pragma once

// Scans over the threads of a block, with any associative operation.

#include <cuda_runtime.h>

#include <type_traits>

namespace hash_table {

inline constexpr unsigned warp_size = 32;
inline constexpr unsigned full_warp = 0xffffffff;

/// The x of the lane `distance` before this one. T: an integer, or a structure of two integers, a and b.
template <class T>
__device__ T from_earlier_lane(T x, unsigned distance) {
    if constexpr (std::is_integral_v<T>) {
        return __shfl_up_sync(full_warp, x, distance);
    } else {
        x.a = __shfl_up_sync(full_warp, x.a, distance);
        x.b = __shfl_up_sync(full_warp, x.b, distance);
        return x;
    }
}

/// An exclusive scan: returns the combination, by combine(earlier, later), of what the threads before this one passed;
/// thread 0 returns `nothing`. blockDim.x is a multiple of 32. Ends with a barrier.
template <class T, class Combine>
__device__ T scan_before(T mine, T nothing, Combine combine) {
    __shared__ T warps[warp_size];
    const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;

    const auto scan_warp = [&](T x) {
        for (unsigned distance = 1; distance < warp_size; distance *= 2) {
            const T earlier = from_earlier_lane(x, distance);
            if (lane >= distance) x = combine(earlier, x);
        }
        return x;
    };

    const T inclusive = scan_warp(mine);
    if (lane == warp_size - 1) warps[warp] = inclusive;
    __syncthreads();
    if (warp == 0) {
        const T sums = scan_warp(lane < blockDim.x / warp_size ? warps[lane] : nothing);
        warps[lane] = sums;
    }
    __syncthreads();

    T before = from_earlier_lane(inclusive, 1);
    if (lane == 0) before = nothing;
    const T result = warp == 0 ? before : combine(warps[warp - 1], before);
    __syncthreads();
    return result;
}

/// The sum of what the threads before this one passed.
__device__ inline unsigned sum_before(unsigned mine) {
    return scan_before(mine, 0u, [](unsigned x, unsigned y) { return x + y; });
}

}  // namespace hash_table
