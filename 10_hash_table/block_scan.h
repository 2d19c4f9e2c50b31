#pragma once

// Scans over the threads of a block, of any operation that is associative.

#include <cuda_runtime.h>

namespace hash_table {

inline constexpr unsigned warp_size = 32;
inline constexpr unsigned full_warp = 0xffffffff;

/// Calls combine(earlier, later) so that thread t returns the combination of what the threads before it gave; thread 0
/// returns `nothing`. T has two unsigned or int members, a and b. blockDim.x is a multiple of 32. Ends with a barrier.
template <class T, class Combine>
__device__ T scan_before(T mine, T nothing, Combine combine) {
    __shared__ T warps[warp_size];
    const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;

    const auto scan_warp = [&](T x) {
        for (unsigned distance = 1; distance < warp_size; distance *= 2) {
            T earlier;
            earlier.a = __shfl_up_sync(full_warp, x.a, distance);
            earlier.b = __shfl_up_sync(full_warp, x.b, distance);
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

    T before;
    before.a = __shfl_up_sync(full_warp, inclusive.a, 1);
    before.b = __shfl_up_sync(full_warp, inclusive.b, 1);
    if (lane == 0) before = nothing;
    const T result = warp == 0 ? before : combine(warps[warp - 1], before);
    __syncthreads();
    return result;
}

struct TwoSums {
    unsigned a, b;
};

/// The sums of what the threads before this one gave.
__device__ inline TwoSums sums_before(TwoSums mine) {
    return scan_before(mine, TwoSums{0, 0}, [](TwoSums x, TwoSums y) { return TwoSums{x.a + y.a, x.b + y.b}; });
}

}  // namespace hash_table
