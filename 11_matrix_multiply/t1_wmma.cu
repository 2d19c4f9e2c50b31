// New here: C++ has the tensor cores as nvcuda::wmma. A fragment is a matrix that the 32 lanes of a warp hold together;
// mma_sync() multiplies two of them and adds to a third: 16 x 16 sums of 8 products of TF32, or of 16 of BF16. Each
// warp makes 4 x 4 such fragments of c, so that a fragment of a serves four of b.
//
// Needs compute capability 8.0.
// What remains: the fragments come from the L1 cache, or from beyond, just before they are used, and every warp of a
// row of tiles loads the same ones.

#include <mma.h>

#include "common/check.h"
#include "rounded.h"

namespace matrix_multiply {
namespace {

constexpr unsigned side = 16;                                                     // of a fragment of c
constexpr unsigned fragments = 4;                                                 // of a warp, down and across
constexpr unsigned block_warps = 2;                                               // of a block, down and across
constexpr unsigned warp_tile = fragments * side, tile = block_warps * warp_tile;  // rows and columns
constexpr unsigned threads = block_warps * block_warps * 32;
static_assert(rounded_padding % tile == 0);

template <class T>
__global__ void __launch_bounds__(threads) multiply(Rounded<T> in, Matrix<float> c) {
#if __CUDA_ARCH__ >= 800
    namespace wmma = nvcuda::wmma;
    using Element = std::conditional_t<std::is_same_v<T, float>, wmma::precision::tf32, T>;
    constexpr unsigned step = 32 / sizeof(T);  // values of k
    __shared__ alignas(32) float staged[threads / 32][side][side];

    const auto tiles_across = static_cast<unsigned>((c.columns + tile - 1) / tile);
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned warp_i = blockIdx.x / tiles_across * tile + warp / block_warps * warp_tile;
    const unsigned warp_j = blockIdx.x % tiles_across * tile + warp % block_warps * warp_tile;
    const auto stride = static_cast<unsigned>(in.a.stride);

    wmma::fragment<wmma::accumulator, side, side, step, float> sums[fragments][fragments];
    for (auto& row : sums)
        for (auto& sum : row) wmma::fill_fragment(sum, 0);
    for (std::size_t l = 0; l < in.shape.k; l += step) {
        wmma::fragment<wmma::matrix_a, side, side, step, Element, wmma::row_major> a[fragments];
        wmma::fragment<wmma::matrix_b, side, side, step, Element, wmma::col_major> b[fragments];
#pragma unroll
        for (unsigned f = 0; f < fragments; ++f) {
            wmma::load_matrix_sync(a[f], in.a.row(warp_i + f * side) + l, stride);
            wmma::load_matrix_sync(b[f], in.b_transposed.row(warp_j + f * side) + l, stride);
        }
#pragma unroll
        for (unsigned y = 0; y < fragments; ++y)
#pragma unroll
            for (unsigned x = 0; x < fragments; ++x) wmma::mma_sync(sums[y][x], a[y], b[x], sums[y][x]);
    }

    // c may end anywhere, and nobody may know which lane has which sum: they go through shared memory.
#pragma unroll
    for (unsigned y = 0; y < fragments; ++y)
#pragma unroll
        for (unsigned x = 0; x < fragments; ++x) {
            wmma::store_matrix_sync(&staged[warp][0][0], sums[y][x], side, wmma::mem_row_major);
            __syncwarp();
            const std::size_t j = warp_j + x * side + lane % side;
            for (unsigned row = lane / side; row < side; row += 32 / side) {
                const std::size_t i = warp_i + y * side + row;
                if (i < c.rows && j < c.columns) c.row(i)[j] = staged[warp][row][lane % side];
            }
            __syncwarp();
        }
#else
    __trap();
#endif
}

}  // namespace

template <class T>
void wmma(const Rounded<T>& rounded, Matrix<float> c) {
    require_product_fits(rounded, c);
    if (c.rows == 0 || c.columns == 0) return;
    const std::size_t tiles = round_up(c.rows, tile) / tile * (round_up(c.columns, tile) / tile);
    multiply<<<grid_of(tiles), threads>>>(rounded, c);
    CUDA_CHECK_LAUNCH();
}

template void wmma(const Rounded<float>&, Matrix<float>);
template void wmma(const Rounded<Bf16>&, Matrix<float>);

template <class T>
constexpr TensorStage<T> wmma_stage{"tensor cores from C++: a warp holds 16 x 16 sums together", wmma<T>,
                                    tensor_cores_for_tf32};
STAGES(wmma_stage<float>, wmma_stage<Bf16>);

}  // namespace matrix_multiply
