// New here: the instruction itself, mma.sync, of which it is known which lane holds what. So slices of a and b lie in
// shared memory, where a block's warps share them, and ldmatrix brings four 8 x 8 pieces of 16 bits to a warp's
// registers at once: 16 rows of 32 bytes, as the instruction wants them, be it 8 numbers of TF32 or 16 of BF16.
// Asynchronous copies bring two slices while a third one is used.
//
// A row of a slice has 128 bytes, as many as the banks, so the rows of a column of pieces would be in the same banks.
// Therefore unit u of row r, 16 bytes, is at place u ^ r % 8.
// Needs compute capability 8.0.
// What remains: each warp waits for its own loads before it multiplies, and on Hopper a tensor core that mma.sync
// keeps busy does about two thirds of what it could.

#include <cuda_pipeline.h>

#include "common/check.h"
#include "rounded.h"
#include "store_two.h"

namespace matrix_multiply {
namespace {

constexpr unsigned tile = 128;                         // rows and columns of c that a block makes
constexpr unsigned warp_rows = 64, warp_columns = 32;  // of the tile, for each warp
constexpr unsigned threads = tile / warp_rows * (tile / warp_columns) * 32;
constexpr unsigned slices = 3;                                        // in shared memory
constexpr unsigned units = 8, unit_bytes = sizeof(uint4);             // of a row of a slice
constexpr unsigned down = warp_rows / 16, across = warp_columns / 8;  // sums of 16 x 8, of a warp
static_assert(rounded_padding % tile == 0);

struct Slice {
    uint4 a[tile][units], b[tile][units];  // b: a row for each column
};

/// Starts the copies of a slice, by all threads of the block. i, j: the tile's first row and column, l: the first k.
template <class T>
__device__ void load(Slice& to, const Rounded<T>& in, std::size_t i, std::size_t j, std::size_t l) {
    const unsigned unit = threadIdx.x % units;
    l += unit * (unit_bytes / sizeof(T));
#pragma unroll
    for (unsigned row = threadIdx.x / units; row < tile; row += threads / units) {
        __pipeline_memcpy_async(&to.a[row][unit ^ row % units], in.a.row(i + row) + l, unit_bytes);
        __pipeline_memcpy_async(&to.b[row][unit ^ row % units], in.b_transposed.row(j + row) + l, unit_bytes);
    }
}

/// Lane 8 p + r gives row r of piece p; register p of all lanes is piece p.
__device__ void load_pieces(unsigned (&pieces)[4], const uint4 (&rows)[units], unsigned row, unsigned unit) {
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&rows[unit ^ row % units]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(pieces[0]), "=r"(pieces[1]), "=r"(pieces[2]), "=r"(pieces[3])
                 : "r"(address)
                 : "memory");
}

/// 16 x 8 sums += 16 rows of a · 8 columns of b, for 32 bytes of k.
template <class T>
__device__ void multiply_add(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
    if constexpr (std::is_same_v<T, float>)
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    else
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    __trap();
#endif
}

template <class T>
__global__ void __launch_bounds__(threads, 2) multiply(Rounded<T> in, Matrix<float> c) {
    extern __shared__ Slice ring[];
    const auto tiles_across = static_cast<unsigned>((c.columns + tile - 1) / tile);
    const unsigned tile_i = blockIdx.x / tiles_across * tile, tile_j = blockIdx.x % tiles_across * tile;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned y = warp / (tile / warp_columns) * warp_rows, x = warp % (tile / warp_columns) * warp_columns;

    float sums[down][across][4] = {};
    const std::size_t k = in.a.columns;
    for (unsigned s = 0; s < slices - 1; ++s) {
        if (s * slice_depth<T> < k) load(ring[s], in, tile_i, tile_j, s * slice_depth<T>);
        __pipeline_commit();
    }
    unsigned now = 0;
    for (std::size_t l = 0; l < k; l += slice_depth<T>) {
        __pipeline_wait_prior(slices - 2);
        __syncthreads();  // this slice has arrived, and no thread needs the one before
        if (const std::size_t next = l + (slices - 1) * slice_depth<T>; next < k)
            load(ring[(now + slices - 1) % slices], in, tile_i, tile_j, next);
        __pipeline_commit();
#pragma unroll
        for (unsigned unit = 0; unit < units; unit += 2) {
            unsigned a[down][4], b[across / 2][4];
#pragma unroll
            for (unsigned f = 0; f < down; ++f) {
                const unsigned row = y + f * 16 + lane % 16;
                load_pieces(a[f], ring[now].a[row], row, unit + lane / 16);
            }
#pragma unroll
            for (unsigned f = 0; f < across / 2; ++f) {
                const unsigned row = x + f * 16 + lane / 16 * 8 + lane % 8;
                load_pieces(b[f], ring[now].b[row], row, unit + lane / 8 % 2);
            }
#pragma unroll
            for (unsigned f = 0; f < down; ++f)
#pragma unroll
                for (unsigned g = 0; g < across; ++g)
                    multiply_add<T>(sums[f][g], a[f], b[g / 2][g % 2 * 2], b[g / 2][g % 2 * 2 + 1]);
        }
        now = (now + 1) % slices;
    }

    // A lane has two neighbours in row lane / 4, and two in the row 8 below.
#pragma unroll
    for (unsigned f = 0; f < down; ++f)
#pragma unroll
        for (unsigned half = 0; half < 2; ++half) {
            const std::size_t i = tile_i + y + f * 16 + half * 8 + lane / 4;
            if (i >= c.rows) continue;
#pragma unroll
            for (unsigned g = 0; g < across; ++g) {
                const std::size_t j = tile_j + x + g * 8 + lane % 4 * 2;
                store_two(c, i, j, sums[f][g][2 * half], sums[f][g][2 * half + 1]);
            }
        }
}

}  // namespace

template <class T>
void mma(const Rounded<T>& rounded, Matrix<float> c) {
    require_product_fits(rounded, c);
    if (c.rows == 0 || c.columns == 0) return;
    const std::size_t tiles = round_up(c.rows, tile) / tile * (round_up(c.columns, tile) / tile);
    constexpr unsigned bytes = slices * sizeof(Slice);
    CUDA_CHECK(cudaFuncSetAttribute(multiply<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    multiply<<<grid_of(tiles), threads, bytes>>>(rounded, c);
    CUDA_CHECK_LAUNCH();
}

template void mma(const Rounded<float>&, Matrix<float>);
template void mma(const Rounded<Bf16>&, Matrix<float>);

template <class T>
constexpr TensorStage<T> mma_stage{"slices in shared memory, ldmatrix, and copies of two slices in flight", mma<T>,
                                   tensor_cores_for_tf32};
STAGES(mma_stage<float>, mma_stage<Bf16>);

}  // namespace matrix_multiply
