// New here: a tensor core instruction makes 16 x 8 sums of 256 products of bits each for a warp: 32,768 products, where
// a lane's __popc() counts 32. With g = lane / 4 and t = lane % 4, a lane holds
// - words t and t + 4 of rows g and g + 8 of a, and of column g of b,
// - the sums in columns 2 t and 2 t + 1 of rows g and g + 8.
//
// Needs compute capability 7.5. Turing multiplies with exclusive or, 8 x 8 sums at a time. Ampere has the large shape
// and also offers AND. Hopper has only AND; nvcc makes two of them of an exclusive or. So from Ampere on this uses AND:
// the number of differing bits is (ones in a's row) + (ones in b's column) - 2 · (ones in both), where packing has
// counted the first two. Blackwell has no such instruction any more: nvcc puts eight for bytes in its place, which is
// right, and slow.
//
// While the tensor cores work on a slice, asynchronous copies bring the next one to shared memory.
// What remains: c has 32 bits for each element, and takes longer to write than a and b to read.

#include <cuda_pipeline.h>

#include "binary.h"
#include "common/check.h"

namespace matrix_multiply {
namespace {

constexpr unsigned tile = 128;                         // rows and columns of c that a block makes
constexpr unsigned slice = 16;                         // words of k that are in shared memory at once
constexpr unsigned warp_rows = 64, warp_columns = 32;  // of the tile, for each warp
constexpr unsigned threads = tile / warp_rows * (tile / warp_columns) * 32;
static_assert(tile_padding % tile == 0 && word_padding % slice == 0);

constexpr unsigned step = 8, fragment_rows = 16, fragment_columns = 8;  // of the instruction: words of k, rows, columns
constexpr unsigned fragments_down = warp_rows / fragment_rows, fragments_across = warp_columns / fragment_columns;

/// A slice of a tile's rows of a and columns of b. With the padding, 8 rows of a, or 4 of b, lie in different banks.
struct Slice {
    alignas(16) Word a[tile][slice + 4];
    alignas(16) Word b[slice][tile + 8];

    /// Starts the copies, by all threads of the block. i, j: the tile's first row and column, w: the first word.
    __device__ void load(const Packed& packed, std::size_t i, std::size_t j, std::size_t w) {
#pragma unroll
        for (unsigned q = threadIdx.x; q < tile * slice / 4; q += threads) {
            const unsigned row = q / (slice / 4), word = q % (slice / 4) * 4;
            __pipeline_memcpy_async(&a[row][word], packed.a.row(i + row) + w + word, sizeof(uint4));
        }
#pragma unroll
        for (unsigned q = threadIdx.x; q < slice * tile / 4; q += threads) {
            const unsigned word = q / (tile / 4), column = q % (tile / 4) * 4;
            __pipeline_memcpy_async(&b[word][column], packed.b.row(w + word) + j + column, sizeof(uint4));
        }
    }
};

/// Adds to the sums how many bits are set in both, or, on devices before sm_80, how many differ.
__device__ void multiply_add(unsigned (&sums)[4], const Word (&a)[4], const Word (&b)[2]) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#elif __CUDA_ARCH__ >= 750
    for (unsigned half = 0; half < 2; ++half)      // of k
        for (unsigned down = 0; down < 2; ++down)  // of the rows
            asm("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1}, {%2}, {%3}, {%0, %1};"
                : "+r"(sums[2 * down]), "+r"(sums[2 * down + 1])
                : "r"(a[2 * half + down]), "r"(b[half]));
#else
    __trap();
#endif
}

__device__ unsigned differing(unsigned sum, unsigned ones_in_a, unsigned ones_in_b) {
#if __CUDA_ARCH__ >= 800
    return ones_in_a + ones_in_b - 2 * sum;
#else
    return sum;
#endif
}

__global__ void __launch_bounds__(threads, 2) multiply(Packed packed, Matrix<int> c) {
    __shared__ Slice slices[2];
    const auto tiles_across = static_cast<unsigned>((c.columns + tile - 1) / tile);
    const unsigned tile_i = blockIdx.x / tiles_across * tile, tile_j = blockIdx.x % tiles_across * tile;
    const unsigned warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const unsigned y = warp / (tile / warp_columns) * warp_rows, x = warp % (tile / warp_columns) * warp_columns;

    unsigned sums[fragments_down][fragments_across][4] = {};
    unsigned now = 0;
    if (packed.words > 0) slices[now].load(packed, tile_i, tile_j, 0);
    for (unsigned first = 0; first < packed.words; first += slice) {
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();  // this slice has arrived, and no thread needs the one before
        if (first + slice < packed.words) slices[now ^ 1].load(packed, tile_i, tile_j, first + slice);
#pragma unroll
        for (unsigned w = 0; w < slice; w += step) {
            Word a[fragments_down][4], b[fragments_across][2];
#pragma unroll
            for (unsigned down = 0; down < fragments_down; ++down)
#pragma unroll
                for (unsigned e = 0; e < 4; ++e)
                    a[down][e] = slices[now].a[y + down * fragment_rows + e % 2 * 8 + g][w + e / 2 * 4 + t];
#pragma unroll
            for (unsigned across = 0; across < fragments_across; ++across)
#pragma unroll
                for (unsigned e = 0; e < 2; ++e)
                    b[across][e] = slices[now].b[w + e * 4 + t][x + across * fragment_columns + g];
#pragma unroll
            for (unsigned down = 0; down < fragments_down; ++down)
#pragma unroll
                for (unsigned across = 0; across < fragments_across; ++across)
                    multiply_add(sums[down][across], a[down], b[across]);
        }
        now ^= 1;
    }

#pragma unroll
    for (unsigned down = 0; down < fragments_down; ++down)
#pragma unroll
        for (unsigned half = 0; half < 2; ++half) {
            const unsigned i = tile_i + y + down * fragment_rows + half * 8 + g;
            if (i >= c.rows) continue;
#pragma unroll
            for (unsigned across = 0; across < fragments_across; ++across) {
                const unsigned j = tile_j + x + across * fragment_columns + 2 * t;
                int* out = c.row(i) + j;
                int two[2];
                for (unsigned e = 0; e < 2; ++e)
                    two[e] =
                        static_cast<int>(packed.shape.k - 2 * differing(sums[down][across][2 * half + e],
                                                                        packed.ones_in_a[i], packed.ones_in_b[j + e]));
                if (j + 2 <= c.columns && reinterpret_cast<std::uintptr_t>(out) % alignof(int2) == 0) {
                    __stcs(reinterpret_cast<int2*>(out), make_int2(two[0], two[1]));  // no kernel reads it
                } else {
                    for (unsigned e = 0; e < 2; ++e)
                        if (j + e < c.columns) out[e] = two[e];
                }
            }
        }
}

}  // namespace

void tensor_cores(const Packed& packed, Matrix<int> c) {
    require_fits(packed, c);
    if (c.rows == 0 || c.columns == 0) return;
    const std::size_t tiles = round_up(c.rows, tile) / tile * (round_up(c.columns, tile) / tile);
    multiply<<<grid_of(tiles), threads>>>(packed, c);
    CUDA_CHECK_LAUNCH();
}

STAGES(BinaryStage{"one instruction for 32,768 products of bits", tensor_cores, tensor_cores_for_bits});

}  // namespace matrix_multiply
