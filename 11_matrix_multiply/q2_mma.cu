// New here: tensor cores multiply bytes. mma.sync makes 16 x 8 sums of 32 products for a warp. The kernel is that of
// t2_mma: slices by asynchronous copies, swizzled, and ldmatrix, to which 16 bytes are 16 bytes.
//
// Floats of eight bits become halfs first, which hold each of them exactly, and two mma.sync of halfs do the work of
// one. That is what nvcc makes of an mma.sync of E4M3 for Hopper, too: only Ada, and Blackwell after it, have the
// instruction. So an FP8 matrix saves bytes here, and no time of the tensor cores.
//
// Where blocks have scales, a slice is a block: its sums, times both scales, are added to the totals.
// Needs compute capability 8.0. What remains: Hopper's own instruction, wgmma, gets more out of the tensor cores.

#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#include "common/check.h"
#include "eight.h"
#include "store_two.h"

namespace matrix_multiply {
namespace {

constexpr unsigned tile = 128;                         // rows and columns of c that a block makes
constexpr unsigned warp_rows = 64, warp_columns = 32;  // of the tile, for each warp
constexpr unsigned threads = tile / warp_rows * (tile / warp_columns) * 32;
constexpr unsigned slices = 3;                                        // in shared memory
constexpr unsigned units = 8, unit_bytes = sizeof(uint4);             // of a row of a slice
constexpr unsigned down = warp_rows / 16, across = warp_columns / 8;  // sums of 16 x 8, of a warp
static_assert(eight_padding % tile == 0 && block_depth == units * unit_bytes);

struct Slice {
    uint4 a[tile][units], b[tile][units];  // b: a row for each column
};

template <class F>
using Sums = typename F::Sum[down][across][4];

/// Starts the copies of a slice, by all threads of the block. i, j: the tile's first row and column, l: the first k.
template <class F>
__device__ void load(Slice& to, const Quantized<F>& in, std::size_t i, std::size_t j, std::size_t l) {
    const unsigned unit = threadIdx.x % units;
    l += unit * unit_bytes;
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
__device__ void multiply_add(int (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    __trap();
#endif
}

/// The same for 16 numbers of k, which are halfs.
__device__ void multiply_add(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    __trap();
#endif
}

/// Two of the four floats in a register, the lower ones first, as halfs.
template <class F>
__device__ unsigned as_halfs(unsigned four, unsigned two) {
    constexpr auto format = std::is_same_v<F, E5m2> ? __NV_E5M2 : __NV_E4M3;
    const __half2_raw halfs = __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(four >> 16 * two), format);
    return halfs.x | unsigned{halfs.y} << 16;
}

/// 32 numbers of k. As halfs, a lane's four neighbours are in two instructions: the order along k is another one, but
/// the same for a and b.
template <class F>
__device__ void multiply_bytes(Sums<F>& sums, const unsigned (&a)[down][4], const unsigned (&b)[across / 2][4]) {
    constexpr unsigned instructions = std::is_same_v<F, Int8> ? 1 : 2;
#pragma unroll
    for (unsigned two = 0; two < instructions; ++two) {
        const auto factor = [&](unsigned four) {
            if constexpr (std::is_same_v<F, Int8>)
                return four;
            else
                return as_halfs<F>(four, two);
        };
#pragma unroll
        for (unsigned f = 0; f < down; ++f) {
            const unsigned of_a[4] = {factor(a[f][0]), factor(a[f][1]), factor(a[f][2]), factor(a[f][3])};
#pragma unroll
            for (unsigned g = 0; g < across; ++g)
                multiply_add(sums[f][g], of_a, factor(b[g / 2][g % 2 * 2]), factor(b[g / 2][g % 2 * 2 + 1]));
        }
    }
}

/// A lane has two neighbours in row lane / 4, and two in the row 8 below. Calls what(f, half, i) for each of its rows.
template <class What>
__device__ void for_rows(unsigned first, const What& what) {
#pragma unroll
    for (unsigned f = 0; f < down; ++f)
#pragma unroll
        for (unsigned half = 0; half < 2; ++half) what(f, half, first + f * 16 + half * 8 + threadIdx.x % 32 / 4);
}

/// totals += sums, each times the scales of its row and its column. i, j: the warp's first row and column.
template <class F>
__device__ void add_scaled(Sums<F>& totals, const Sums<F>& sums, const Quantized<F>& in, std::size_t block, unsigned i,
                           unsigned j) {
    float2 columns[across];
#pragma unroll
    for (unsigned g = 0; g < across; ++g)
        columns[g] = *reinterpret_cast<const float2*>(in.b_scales.row(block) + j + g * 8 + threadIdx.x % 4 * 2);
    for_rows(i, [&](unsigned f, unsigned half, unsigned row) {
        const float scale = in.a_scales.row(block)[row];
#pragma unroll
        for (unsigned g = 0; g < across; ++g) {
            totals[f][g][2 * half] += sums[f][g][2 * half] * (scale * columns[g].x);
            totals[f][g][2 * half + 1] += sums[f][g][2 * half + 1] * (scale * columns[g].y);
        }
    });
}

template <class F>
__device__ void store(const Sums<F>& sums, const Matrix<typename F::Sum>& c, unsigned i, unsigned j) {
    for_rows(i, [&](unsigned f, unsigned half, unsigned row) {
        if (row >= c.rows) return;
#pragma unroll
        for (unsigned g = 0; g < across; ++g)
            store_two(c, row, j + g * 8 + threadIdx.x % 4 * 2, sums[f][g][2 * half], sums[f][g][2 * half + 1]);
    });
}

template <class F>
__global__ void __launch_bounds__(threads, F::by_blocks ? 1 : 2) multiply(Quantized<F> in, Matrix<typename F::Sum> c) {
    extern __shared__ Slice ring[];
    const auto tiles_across = static_cast<unsigned>((c.columns + tile - 1) / tile);
    const unsigned tile_i = blockIdx.x / tiles_across * tile, tile_j = blockIdx.x % tiles_across * tile;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned y = warp / (tile / warp_columns) * warp_rows, x = warp % (tile / warp_columns) * warp_columns;

    Sums<F> sums = {}, totals = {};
    const std::size_t k = in.a.columns;
    for (unsigned s = 0; s < slices - 1; ++s) {
        if (s * block_depth < k) load(ring[s], in, tile_i, tile_j, s * block_depth);
        __pipeline_commit();
    }
    unsigned now = 0;
    for (std::size_t l = 0; l < k; l += block_depth) {
        __pipeline_wait_prior(slices - 2);
        __syncthreads();  // this slice has arrived, and no thread needs the one before
        if (const std::size_t next = l + (slices - 1) * block_depth; next < k)
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
            multiply_bytes<F>(sums, a, b);
        }
        if constexpr (F::by_blocks) {
            add_scaled(totals, sums, in, l / block_depth, tile_i + y, tile_j + x);
            for (auto& row : sums)
                for (auto& four : row)
                    for (float& sum : four) sum = 0;
        }
        now = (now + 1) % slices;
    }
    if constexpr (std::is_same_v<F, Int8>) {
        store<F>(sums, c, tile_i + y, tile_j + x);
    } else {
        if constexpr (!F::by_blocks) add_scaled(totals, sums, in, 0, tile_i + y, tile_j + x);
        store<F>(totals, c, tile_i + y, tile_j + x);
    }
}

}  // namespace

template <class F>
void mma_bytes(const Quantized<F>& in, Matrix<typename F::Sum> c) {
    require_product_fits(in, c);
    if (c.rows == 0 || c.columns == 0) return;
    const std::size_t tiles = round_up(c.rows, tile) / tile * (round_up(c.columns, tile) / tile);
    constexpr unsigned bytes = slices * sizeof(Slice);
    CUDA_CHECK(cudaFuncSetAttribute(multiply<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    multiply<F><<<grid_of(tiles), threads, bytes>>>(in, c);
    CUDA_CHECK_LAUNCH();
}

template void mma_bytes(const Quantized<Int8>&, Matrix<int>);
template void mma_bytes(const Quantized<E4m3>&, Matrix<float>);
template void mma_bytes(const Quantized<E5m2>&, Matrix<float>);
template void mma_bytes(const Quantized<E4m3Blocks>&, Matrix<float>);

template <class F>
constexpr EightStage<F> mma_bytes_stage{"a warp's instruction for 4,096 products; FP8 as halfs", mma_bytes<F>,
                                        tensor_cores_for_tf32};
STAGES(mma_bytes_stage<Int8>, mma_bytes_stage<E4m3>, mma_bytes_stage<E5m2>, mma_bytes_stage<E4m3Blocks>);

}  // namespace matrix_multiply
