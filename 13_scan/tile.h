#pragma once

// A block scans a tile of 4096 values: what 7_vectorized explains, for the stages after it.

#include <cstddef>

namespace scan {

inline constexpr unsigned warp_size = 32, all_lanes = 0xffffffff;
inline constexpr unsigned block_size = 256, warps = block_size / warp_size;
inline constexpr unsigned rows = 4;  // of 32 quads, in each warp
inline constexpr unsigned tile = block_size * rows * 4;

/// Where this thread's quad in a row begins.
__device__ inline std::size_t place_of(unsigned tile_index, unsigned row) {
    const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
    return std::size_t{tile_index} * tile + 4 * ((warp * rows + row) * warp_size + lane);
}

template <bool aligned>
__device__ uint4 load_quad(const unsigned* in, std::size_t n, std::size_t i) {
    if (aligned && i + 4 <= n) return *reinterpret_cast<const uint4*>(in + i);
    return make_uint4(i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0,
                      i + 3 < n ? in[i + 3] : 0);
}

template <bool aligned>
__device__ void store_quad(unsigned* out, std::size_t n, std::size_t i, uint4 quad) {
    if (aligned && i + 4 <= n) {
        *reinterpret_cast<uint4*>(out + i) = quad;
        return;
    }
    if (i < n) out[i] = quad.x;
    if (i + 1 < n) out[i + 1] = quad.y;
    if (i + 2 < n) out[i + 2] = quad.z;
    if (i + 3 < n) out[i + 3] = quad.w;
}

__device__ inline uint4 plus(uint4 quad, unsigned before) {
    return make_uint4(quad.x + before, quad.y + before, quad.z + before, quad.w + before);
}

__device__ inline unsigned scan_warp(unsigned sum) {
    const unsigned lane = threadIdx.x % warp_size;
    for (unsigned distance = 1; distance < warp_size; distance *= 2) {
        const unsigned left = __shfl_up_sync(all_lanes, sum, distance);
        if (lane >= distance) sum += left;
    }
    return sum;
}

/// Scans the values of a warp, one row after the other. Returns their sum.
__device__ inline unsigned scan_rows(uint4 (&quads)[rows]) {
    unsigned before = 0;
#pragma unroll
    for (uint4& quad : quads) {
        quad.y += quad.x;
        quad.z += quad.y;
        quad.w += quad.z;
        const unsigned up_to_here = scan_warp(quad.w);
        quad = plus(quad, before + up_to_here - quad.w);
        before += __shfl_sync(all_lanes, up_to_here, warp_size - 1);
    }
    return before;
}

/// Scans the values of the block. Returns their sum, to each thread.
__device__ inline unsigned scan_tile(uint4 (&quads)[rows]) {
    __shared__ unsigned warp_sums[warps];
    const unsigned sum = scan_rows(quads), warp = threadIdx.x / warp_size;
    if (threadIdx.x % warp_size == 0) warp_sums[warp] = sum;
    __syncthreads();

    unsigned all = 0, before = 0;
    for (unsigned w = 0; w < warps; ++w) {
        if (w == warp) before = all;
        all += warp_sums[w];
    }
#pragma unroll
    for (uint4& quad : quads) quad = plus(quad, before);
    return all;
}

}  // namespace scan
