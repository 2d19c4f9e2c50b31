// New here: each place k of the shared array becomes k + k / 32, so that one word in 33 stays empty. Lanes that are 32,
// 64 or 128 places apart then want different banks. (Chapter 07 pads rows in the same way; GPU Gems 3, chapter 39, has
// it for this tree.) What it should save: wavefronts. 3_blelloch needs up to 16 for a request, and this stage needs
// one. What remains: 20 barriers, between which most threads have nothing to do.

#include "common/check.h"
#include "scan.h"

namespace scan {
namespace {

constexpr unsigned block_size = 256;
constexpr unsigned tile = 2 * block_size;  // values of a block, two for each thread

constexpr unsigned banks = 32;

__device__ constexpr unsigned padded(unsigned k) {
    return k + k / banks;
}

/// The value at padded(k) becomes the sum of all that stood before it: an exclusive scan.
__device__ void scan_tree(unsigned* sums) {
    for (unsigned half = 1; half < tile; half *= 2) {  // of the values below a node
        const unsigned right = (threadIdx.x + 1) * 2 * half - 1, left = right - half;
        __syncthreads();
        if (right < tile) sums[padded(right)] += sums[padded(left)];
    }
    __syncthreads();
    if (threadIdx.x == 0) sums[padded(tile - 1)] = 0;  // Nothing comes before the root.
    for (unsigned half = tile / 2; half > 0; half /= 2) {
        const unsigned right = (threadIdx.x + 1) * 2 * half - 1, left = right - half;
        __syncthreads();
        if (right < tile) {
            const unsigned before = sums[padded(right)];
            sums[padded(right)] = before + sums[padded(left)];
            sums[padded(left)] = before;
        }
    }
    __syncthreads();
}

__global__ void scan_tiles(const unsigned* in, unsigned* out, std::size_t n, unsigned* tile_sums) {
    __shared__ unsigned sums[padded(tile)];
    const std::size_t begin = std::size_t{blockIdx.x} * tile;
    const unsigned first = threadIdx.x, second = first + block_size;  // coalesced

    const unsigned a = begin + first < n ? in[begin + first] : 0;
    const unsigned b = begin + second < n ? in[begin + second] : 0;
    sums[padded(first)] = a;
    sums[padded(second)] = b;
    scan_tree(sums);
    if (begin + first < n) out[begin + first] = sums[padded(first)] + a;  // inclusive: with the value itself
    if (begin + second < n) out[begin + second] = sums[padded(second)] + b;
    if (second == tile - 1) tile_sums[blockIdx.x] = sums[padded(second)] + b;
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

void conflict_free(const unsigned* in, unsigned* out, std::size_t n, void* scratch) {
    if (n > 0) scan_all(in, out, n, static_cast<unsigned*>(scratch));
}

STAGES(Stage{"the same tree, and no two lanes at one bank", conflict_free});

}  // namespace scan
