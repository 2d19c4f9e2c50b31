// New here: a tree that does no addition twice (G. Blelloch, Prefix Sums and Their Applications, 1990). On the way up,
// pairs are added, then pairs of pairs, as in a reduction. On the way down, each node tells its left child the sum of
// what comes before the node, and its right child that sum and the left child's.
// What it should save: additions. 511 up and 511 down for 512 values, where 2_hillis_steele makes seven for each value.
// What remains: 20 barriers, and bank conflicts: in the middle of the tree all lanes of a warp want the same bank.

#include "common/check.h"
#include "scan.h"

namespace scan {
namespace {

constexpr unsigned block_size = 256;
constexpr unsigned tile = 2 * block_size;  // values of a block, two for each thread

/// sums[k] becomes the sum of all that stood before place k: an exclusive scan.
__device__ void scan_tree(unsigned* sums) {
    for (unsigned half = 1; half < tile; half *= 2) {  // of the values below a node
        const unsigned right = (threadIdx.x + 1) * 2 * half - 1, left = right - half;
        __syncthreads();
        if (right < tile) sums[right] += sums[left];
    }
    __syncthreads();
    if (threadIdx.x == 0) sums[tile - 1] = 0;  // Nothing comes before the root.
    for (unsigned half = tile / 2; half > 0; half /= 2) {
        const unsigned right = (threadIdx.x + 1) * 2 * half - 1, left = right - half;
        __syncthreads();
        if (right < tile) {
            const unsigned before = sums[right];
            sums[right] = before + sums[left];
            sums[left] = before;
        }
    }
    __syncthreads();
}

__global__ void scan_tiles(const unsigned* in, unsigned* out, std::size_t n, unsigned* tile_sums) {
    __shared__ unsigned sums[tile];
    const std::size_t begin = std::size_t{blockIdx.x} * tile;
    const unsigned first = threadIdx.x, second = first + block_size;  // coalesced

    const unsigned a = begin + first < n ? in[begin + first] : 0;
    const unsigned b = begin + second < n ? in[begin + second] : 0;
    sums[first] = a;
    sums[second] = b;
    scan_tree(sums);
    if (begin + first < n) out[begin + first] = sums[first] + a;  // inclusive: with the value itself
    if (begin + second < n) out[begin + second] = sums[second] + b;
    if (second == tile - 1) tile_sums[blockIdx.x] = sums[second] + b;
}

__global__ void add_sum_before(unsigned* out, std::size_t n, const unsigned* scanned_tile_sums) {
    const std::size_t begin = std::size_t{blockIdx.x} * tile;
    for (std::size_t i = begin + threadIdx.x; i < begin + tile && i < n; i += block_size)
        if (blockIdx.x > 0) out[i] += scanned_tile_sums[blockIdx.x - 1];
}

void scan_all(const unsigned* in, unsigned* out, std::size_t n, unsigned* sums) {
    const auto tiles = static_cast<unsigned>((n + tile - 1) / tile);
    scan_tiles<<<tiles, block_size>>>(in, out, n, sums);
    CUDA_CHECK_LAUNCH();
    if (tiles == 1) return;

    scan_all(sums, sums, tiles, sums + tiles);
    add_sum_before<<<tiles, block_size>>>(out, n, sums);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void blelloch(const unsigned* in, unsigned* out, std::size_t n, void* scratch) {
    if (n > 0) scan_all(in, out, n, static_cast<unsigned*>(scratch));
}

STAGES(Stage{"a tree up and down: 3 additions per value, not 7", blelloch});

}  // namespace scan
