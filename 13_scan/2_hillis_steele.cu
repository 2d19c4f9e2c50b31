// New here: the threads of a block scan a tile together, in shared memory. In each step a value takes in the one that
// is 1, 2, 4, … places to its left (D. Hillis, G. Steele, Data Parallel Algorithms, 1986). Then the sums of the tiles
// are scanned in the same way, and each tile adds the sum of those before it. What remains: 17 barriers for 256 values,
// 7 additions for each value, and all values cross the memory four times.

#include "common/check.h"
#include "scan.h"

namespace scan {
namespace {

constexpr unsigned tile = 256;  // values of a block, one for each thread

__global__ void scan_tiles(const unsigned* in, unsigned* out, std::size_t n, unsigned* tile_sums) {
    __shared__ unsigned sums[tile];

    const std::size_t i = std::size_t{blockIdx.x} * tile + threadIdx.x;
    unsigned sum = i < n ? in[i] : 0;  // Threads past the end add nothing, but must come to the barriers.
    sums[threadIdx.x] = sum;
    __syncthreads();

    for (unsigned distance = 1; distance < tile; distance *= 2) {
        if (threadIdx.x >= distance) sum += sums[threadIdx.x - distance];
        __syncthreads();  // All have read, so that all may write.
        sums[threadIdx.x] = sum;
        __syncthreads();  // All have written, so that all may read.
    }
    if (i < n) out[i] = sum;
    if (threadIdx.x == tile - 1) tile_sums[blockIdx.x] = sum;
}

__global__ void add_sum_before(unsigned* out, std::size_t n, const unsigned* scanned_tile_sums) {
    const std::size_t i = std::size_t{blockIdx.x} * tile + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] += scanned_tile_sums[blockIdx.x - 1];
}

/// sums: room for the sums of the tiles, and for those of their tiles, and so on.
void scan_all(const unsigned* in, unsigned* out, std::size_t n, unsigned* sums) {
    const auto tiles = static_cast<unsigned>((n + tile - 1) / tile);
    scan_tiles<<<tiles, tile>>>(in, out, n, sums);
    CUDA_CHECK_LAUNCH();
    if (tiles == 1) return;

    scan_all(sums, sums, tiles, sums + tiles);
    add_sum_before<<<tiles, tile>>>(out, n, sums);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void hillis_steele(const unsigned* in, unsigned* out, std::size_t n, void* scratch) {
    if (n > 0) scan_all(in, out, n, static_cast<unsigned*>(scratch));
}

STAGES(Stage{"a block scans a tile in shared memory: 8 steps", hillis_steele});

}  // namespace scan
