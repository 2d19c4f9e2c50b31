#pragma once

// A block scans a tile of 16,384 values with the rows of 7_vectorized, for the stages after it. It knows the sum of the
// tile before it scans: other blocks wait for that sum.

#include <cstddef>

namespace scan {

inline constexpr unsigned warp_size = 32, all_lanes = 0xffffffff;
inline constexpr unsigned block_size = 512, warps = block_size / warp_size;
inline constexpr unsigned rows = 8;  // of 32 quads, in each warp
inline constexpr unsigned tile = block_size * rows * 4;

/// Where this thread's quad in a row begins.
__device__ inline std::size_t place_of(unsigned tile_index, unsigned row) {
    const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
    return std::size_t{tile_index} * tile + 4 * ((warp * rows + row) * warp_size + lane);
}

__device__ inline uint4 plus(uint4 quad, unsigned before) {
    return make_uint4(quad.x + before, quad.y + before, quad.z + before, quad.w + before);
}

__device__ inline uint4 load_quad(const unsigned* in, std::size_t n, std::size_t i) {
    return make_uint4(i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0,
                      i + 3 < n ? in[i + 3] : 0);
}

__device__ inline void store_quad(unsigned* out, std::size_t n, std::size_t i, uint4 quad) {
    if (i < n) out[i] = quad.x;
    if (i + 1 < n) out[i + 1] = quad.y;
    if (i + 2 < n) out[i + 2] = quad.z;
    if (i + 3 < n) out[i + 3] = quad.w;
}

/// Whether tile t is loaded and stored by 16 bytes. Asked once for the tile, so that nothing stands between the loads.
__device__ inline bool is_whole(bool aligned, std::size_t n, unsigned t) {
    return aligned && (std::size_t{t} + 1) * tile <= n;
}

/// Each value passes once: the hints `cs` tell the caches not to keep it.
__device__ inline void load_tile(const unsigned* in, std::size_t n, unsigned t, bool aligned, uint4 (&quads)[rows]) {
    if (is_whole(aligned, n, t)) {
#pragma unroll
        for (unsigned row = 0; row < rows; ++row)
            quads[row] = __ldcs(reinterpret_cast<const uint4*>(in + place_of(t, row)));
    } else {
#pragma unroll
        for (unsigned row = 0; row < rows; ++row) quads[row] = load_quad(in, n, place_of(t, row));
    }
}

__device__ inline void store_tile(unsigned* out, std::size_t n, unsigned t, bool aligned, const uint4 (&quads)[rows],
                                  unsigned before) {
    if (is_whole(aligned, n, t)) {
#pragma unroll
        for (unsigned row = 0; row < rows; ++row)
            __stcs(reinterpret_cast<uint4*>(out + place_of(t, row)), plus(quads[row], before));
    } else {
#pragma unroll
        for (unsigned row = 0; row < rows; ++row) store_quad(out, n, place_of(t, row), plus(quads[row], before));
    }
}

__device__ inline unsigned scan_warp(unsigned sum) {
    const unsigned lane = threadIdx.x % warp_size;
    for (unsigned distance = 1; distance < warp_size; distance *= 2) {
        const unsigned left = __shfl_up_sync(all_lanes, sum, distance);
        if (lane >= distance) sum += left;
    }
    return sum;
}

__device__ inline unsigned sum_warp(unsigned sum) {
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(all_lanes, sum, distance);
    return sum;  // in all lanes
}

struct TileSums {
    unsigned before_warp;  // the values before this thread's warp
    unsigned all;
};

/// Adds up the values of the block, and gives each thread both sums.
__device__ inline TileSums sum_tile(const uint4 (&quads)[rows]) {
    __shared__ unsigned warp_sums[warps];
    unsigned sum = 0;
#pragma unroll
    for (const uint4& quad : quads) sum += quad.x + quad.y + quad.z + quad.w;
    sum = sum_warp(sum);
    const unsigned warp = threadIdx.x / warp_size;
    if (threadIdx.x % warp_size == 0) warp_sums[warp] = sum;
    __syncthreads();

    TileSums sums{0, 0};
#pragma unroll
    for (unsigned w = 0; w < warps; ++w) {
        if (w == warp) sums.before_warp = sums.all;
        sums.all += warp_sums[w];
    }
    return sums;
}

/// Scans the values of a warp, one row after the other. `before` is the sum of those before them.
__device__ inline void scan_rows(uint4 (&quads)[rows], unsigned before) {
#pragma unroll
    for (uint4& quad : quads) {
        quad.y += quad.x;
        quad.z += quad.y;
        quad.w += quad.z;
        const unsigned up_to_here = scan_warp(quad.w);
        quad = plus(quad, before + up_to_here - quad.w);
        before += __shfl_sync(all_lanes, up_to_here, warp_size - 1);
    }
}

}  // namespace scan
