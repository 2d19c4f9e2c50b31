// New here: no thread loads from global memory, or stores to it. One thread of a block asks Hopper's copy engine, the
// TMA, for 768 neighbours of each array; the threads add them up in shared memory; and the TMA takes the sums back.
// Needs compute capability 9.0. What remains: the memory itself.
// The TMA takes addresses and sizes that are multiples of 16 bytes. So there is a head as in stage 5, and arrays that
// reach the boundary at different elements are added one by one. The last block adds the head, and what fills no tile.

#include <algorithm>

#include "common/alignment.h"
#include "common/bulk_copy.h"
#include "common/check.h"
#include "vector_add.h"

namespace vector_add {
namespace {

constexpr unsigned block_size = 256, tile = 3 * block_size;

/// head: elements before the 16-byte boundary. whole_tiles: how many follow; the block behind them adds the rest.
__global__ void add_tiles(const float* a, const float* b, float* c, std::size_t n, std::size_t head,
                          std::size_t whole_tiles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    __shared__ alignas(16) float sums[tile], others[tile];
    __shared__ Barrier arrived;
    const std::size_t first = head + std::size_t{blockIdx.x} * tile;
    if (blockIdx.x == whole_tiles) {
        if (threadIdx.x < head) c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
        for (std::size_t i = first + threadIdx.x; i < n; i += block_size) c[i] = a[i] + b[i];
        return;
    }
    if (threadIdx.x == 0) {
        init(arrived, 1);
        show_barriers_to_engine();
        arrive_and_expect(arrived, sizeof sums + sizeof others);
        copy_bytes(sums, a + first, sizeof sums, arrived);
        copy_bytes(others, b + first, sizeof others, arrived);
    }
    __syncthreads();  // arrived is initialised
    wait_for_end_of(0, arrived);
#pragma unroll
    for (unsigned i = threadIdx.x; i < tile; i += block_size) sums[i] += others[i];
    show_to_engine();
    __syncthreads();
    if (threadIdx.x == 0) {
        store_bytes(c + first, sums, sizeof sums);
        wait_until_read<0>();  // The block's shared memory lasts as long as the block.
    }
#else
    __trap();
#endif
}

__global__ void add_singles(const float* a, const float* b, float* c, std::size_t n) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

}  // namespace

void bulk_copies(const float* a, const float* b, float* c, std::size_t n) {
    if (n == 0) return;
    const std::size_t head = std::min(to_boundary(c), n), whole_tiles = (n - head) / tile;
    const bool same_boundary = to_boundary(a) == to_boundary(c) && to_boundary(b) == to_boundary(c);

    if (same_boundary)
        add_tiles<<<static_cast<unsigned>(whole_tiles + 1), block_size>>>(a, b, c, n, head, whole_tiles);
    else
        add_singles<<<static_cast<unsigned>((n - 1) / block_size + 1), block_size>>>(a, b, c, n);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"the TMA copies tiles to shared memory and back", bulk_copies, copy_engine});

}  // namespace vector_add
