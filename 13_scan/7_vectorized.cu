// New here: a load brings 16 bytes, a quad, and a thread has four of them. It adds the values of a quad by itself, so
// that the shuffles of a warp serve 128 values and not 32. A tile has 4096 values. What it should save: three of four
// loads and stores, and nearly all shuffles. More bytes are in flight for each thread. What remains: each value is read
// twice, once for the sums and once for the scan. Where in or out do not begin at a multiple of 16 bytes, each quad
// takes four loads or stores.

#include "common/alignment.h"
#include "common/check.h"
#include "scan.h"

namespace scan {
namespace {

constexpr unsigned warp_size = 32, all_lanes = 0xffffffff;
constexpr unsigned block_size = 256, warps = block_size / warp_size;
constexpr unsigned rows = 4;  // of 32 quads, in each warp
constexpr unsigned tile = block_size * rows * 4;

/// Where this thread's quad in a row begins.
__device__ std::size_t place_of(unsigned tile_index, unsigned row) {
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

__device__ uint4 plus(uint4 quad, unsigned before) {
    return make_uint4(quad.x + before, quad.y + before, quad.z + before, quad.w + before);
}

__device__ unsigned scan_warp(unsigned sum) {
    const unsigned lane = threadIdx.x % warp_size;
    for (unsigned distance = 1; distance < warp_size; distance *= 2) {
        const unsigned left = __shfl_up_sync(all_lanes, sum, distance);
        if (lane >= distance) sum += left;
    }
    return sum;
}

/// Scans the values of a warp, one row after the other. Returns their sum.
__device__ unsigned scan_rows(uint4 (&quads)[rows]) {
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
__device__ unsigned scan_tile(uint4 (&quads)[rows]) {
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

/// Thread 0 gets the sum over the block.
__device__ unsigned sum_block(unsigned sum) {
    __shared__ unsigned warp_sums[warps];
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(all_lanes, sum, distance);
    if (threadIdx.x % warp_size == 0) warp_sums[threadIdx.x / warp_size] = sum;
    __syncthreads();
    for (unsigned w = 1; threadIdx.x == 0 && w < warps; ++w) sum += warp_sums[w];
    return sum;
}

template <bool aligned>
__global__ void sum_tiles(const unsigned* in, std::size_t n, unsigned* tile_sums) {
    unsigned sum = 0;
#pragma unroll
    for (unsigned row = 0; row < rows; ++row) {
        const uint4 quad = load_quad<aligned>(in, n, place_of(blockIdx.x, row));
        sum += quad.x + quad.y + quad.z + quad.w;
    }
    sum = sum_block(sum);
    if (threadIdx.x == 0) tile_sums[blockIdx.x] = sum;
}

template <bool aligned>
__global__ void scan_tiles(const unsigned* in, unsigned* out, std::size_t n, const unsigned* scanned_tile_sums) {
    uint4 quads[rows];
#pragma unroll
    for (unsigned row = 0; row < rows; ++row) quads[row] = load_quad<aligned>(in, n, place_of(blockIdx.x, row));
    const unsigned before = blockIdx.x > 0 ? scanned_tile_sums[blockIdx.x - 1] : 0;
    scan_tile(quads);
#pragma unroll
    for (unsigned row = 0; row < rows; ++row)
        store_quad<aligned>(out, n, place_of(blockIdx.x, row), plus(quads[row], before));
}

void scan_all(const unsigned* in, unsigned* out, std::size_t n, unsigned* sums) {
    const auto tiles = static_cast<unsigned>((n + tile - 1) / tile);
    const bool aligned = to_boundary(in) == 0 && to_boundary(out) == 0;
    if (tiles > 1) {
        (aligned ? sum_tiles<true> : sum_tiles<false>)<<<tiles, block_size>>>(in, n, sums);
        CUDA_CHECK_LAUNCH();
        unsigned* further_sums = sums + (tiles + 3) / 4 * 4;  // again at a multiple of 16 bytes
        scan_all(sums, sums, tiles, further_sums);
    }
    (aligned ? scan_tiles<true> : scan_tiles<false>)<<<tiles, block_size>>>(in, out, n, sums);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void vectorized(const unsigned* in, unsigned* out, std::size_t n, void* scratch) {
    if (n > 0) scan_all(in, out, n, static_cast<unsigned*>(scratch));
}

STAGES(Stage{"16 bytes per load, 16 values per thread", vectorized});

}  // namespace scan
