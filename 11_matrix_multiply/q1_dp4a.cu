// New here: __dp4a() multiplies four bytes by four bytes and adds the products to an int: four multiply-adds in one
// instruction of an ordinary core. A block makes 128 x 128 sums, from slices of a and b in shared memory, and a thread
// 8 x 8 of them, as in 6_register_tile. A word of shared memory has four numbers along k, so the kernel looks like one
// for words.
//
// Needs compute capability 6.1.
// What remains: cores do the work, and tensor cores could do 16 times as much.

#include "common/check.h"
#include "eight.h"
#include "store_two.h"

namespace matrix_multiply {
namespace {

constexpr unsigned tile = 128, part = 64;  // rows and columns; a thread has 4 of each in both parts
constexpr unsigned depth = 8;              // words of k in a slice
constexpr unsigned threads = 256, across = part / 4;
static_assert(eight_padding % tile == 0 && block_depth % (4 * depth) == 0 && threads == 2 * tile);

/// Each thread brings four words of a row, and stores each in a row of its own: the lanes of a warp in a row of 32.
__device__ void load(int (&to)[depth][tile], const Matrix<const std::int8_t>& from, std::size_t first, std::size_t l) {
    const unsigned row = threadIdx.x % tile, word = threadIdx.x / tile * 4;
    const int4 four = *reinterpret_cast<const int4*>(from.row(first + row) + l + word * 4);
    to[word][row] = four.x;
    to[word + 1][row] = four.y;
    to[word + 2][row] = four.z;
    to[word + 3][row] = four.w;
}

__device__ void take(int (&to)[8], const int (&from)[tile], unsigned first) {
#pragma unroll
    for (unsigned p = 0; p < 2; ++p) {
        const int4 four = *reinterpret_cast<const int4*>(&from[p * part + first]);
        to[4 * p] = four.x, to[4 * p + 1] = four.y, to[4 * p + 2] = four.z, to[4 * p + 3] = four.w;
    }
}

__global__ void __launch_bounds__(threads) multiply(Quantized<Int8> in, Matrix<int> c) {
#if __CUDA_ARCH__ >= 610
    __shared__ alignas(16) int a[depth][tile], b[depth][tile];
    const auto tiles_across = static_cast<unsigned>((c.columns + tile - 1) / tile);
    const std::size_t tile_i = std::size_t{blockIdx.x / tiles_across} * tile;
    const std::size_t tile_j = std::size_t{blockIdx.x % tiles_across} * tile;
    const unsigned y = threadIdx.x / across * 4, x = threadIdx.x % across * 4;

    int sums[8][8] = {};
    for (std::size_t l = 0; l < in.a.columns; l += depth * 4) {
        load(a, in.a, tile_i, l);
        load(b, in.b_transposed, tile_j, l);
        __syncthreads();
#pragma unroll
        for (unsigned word = 0; word < depth; ++word) {
            int of_a[8], of_b[8];
            take(of_a, a[word], y);
            take(of_b, b[word], x);
#pragma unroll
            for (unsigned u = 0; u < 8; ++u)
#pragma unroll
                for (unsigned v = 0; v < 8; ++v) sums[u][v] = __dp4a(of_a[u], of_b[v], sums[u][v]);
        }
        __syncthreads();  // no thread needs this slice any more
    }

#pragma unroll
    for (unsigned u = 0; u < 8; ++u) {
        const std::size_t i = tile_i + u / 4 * part + y + u % 4;
        if (i >= c.rows) continue;
#pragma unroll
        for (unsigned v = 0; v < 8; v += 2)
            store_two(c, i, tile_j + v / 4 * part + x + v % 4, sums[u][v], sums[u][v + 1]);
    }
#else
    __trap();
#endif
}

}  // namespace

void dp4a(const Quantized<Int8>& in, Matrix<int> c) {
    require_product_fits(in, c);
    if (c.rows == 0 || c.columns == 0) return;
    const std::size_t tiles = round_up(c.rows, tile) / tile * (round_up(c.columns, tile) / tile);
    multiply<<<grid_of(tiles), threads>>>(in, c);
    CUDA_CHECK_LAUNCH();
}

STAGES(EightStage<Int8>{"four products of bytes in one instruction, tiles in registers", dp4a, products_of_bytes});

}  // namespace matrix_multiply
