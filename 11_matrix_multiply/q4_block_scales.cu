// New here: every 128 numbers along k have a scale of their own, and the tensor cores add up no more than these 128
// products. Then their sums go to floats: times both scales, and added to totals that ordinary cores keep with all 24
// bits. So the error hardly grows with k, and a large number spoils only its own block. The scales of a slice come
// with it.
//
// Sums and totals take twice the registers, so a tile has 128 x 128 elements. While one consumer adds, the other one's
// wgmma can keep the tensor cores busy. The scales are loaded before the products start, so that little is left to do
// behind them. For the registers that this takes, the producer is a whole warpgroup, and gives its own to the
// consumers. Needs compute capability 9.0, and code for sm_90a. What remains: for each of its 64 sums, a thread spends
// two instructions for every slice.

#include "common/check.h"
#include "eight.h"
#include "warpgroup.h"

namespace matrix_multiply {
namespace {

constexpr unsigned columns = 128;  // of a tile

constexpr unsigned block_size = (consumers + 1) * warpgroup;  // the producer is a warpgroup, to give registers

/// The ring, and the scales of its slices' rows and columns.
struct Shared : Ring<columns, 160> {
    alignas(16) float a_scales[slices][tile_rows], b_scales[slices][columns];
};

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HAS_WGMMA

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
constexpr unsigned most_threads = block_size;
#else
constexpr unsigned most_threads = 32;  // from this the host learns that the emulator has no wgmma for FP8
#endif

using Sums = float[wgmma_rows * columns / warpgroup];  // of a thread

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
/// 64 x 128 sums = 64 rows of a · 128 columns of b, for 32 bytes of k, or += if `adds`. Only starts it.
template <bool adds>
__device__ void multiply(Sums& sums, std::uint64_t a, std::uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 {" NAMES_OF_64 "}, %64, %65, %66, 1, 1;"
                 : THIRTY_TWO_FLOATS(0), THIRTY_TWO_FLOATS(32)
                 : "l"(a), "l"(b), "n"(int{adds}));
}
#else
template <bool adds>
__device__ void multiply(Sums&, std::uint64_t, std::uint64_t) {
    __trap();
}
#endif

/// The scales of a thread's sums, of two rows and of pairs of neighbouring columns. A lane has sums in row lane / 4 of
/// its warp's 16 rows, and in the row 8 below.
struct Scales {
    float rows[2];
    float2 pairs[columns / 8];

    __device__ Scales(const float* of_rows, const float* of_columns) {
        const unsigned row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
        rows[0] = of_rows[row];
        rows[1] = of_rows[row + 8];
#pragma unroll
        for (unsigned q = 0; q < columns / 8; ++q)
            pairs[q] = *reinterpret_cast<const float2*>(&of_columns[q * 8 + threadIdx.x % 4 * 2]);
    }
};

/// totals += sums, times both scales.
__device__ void add_scaled(Sums& totals, const Sums& sums, const Scales& scales) {
#pragma unroll
    for (unsigned q = 0; q < columns / 8; ++q)
#pragma unroll
        for (unsigned half = 0; half < 2; ++half) {
            totals[4 * q + 2 * half] += scales.rows[half] * scales.pairs[q].x * sums[4 * q + 2 * half];
            totals[4 * q + 2 * half + 1] += scales.rows[half] * scales.pairs[q].y * sums[4 * q + 2 * half + 1];
        }
}

__device__ void consume(Shared& shared, const CUtensorMap& c_boxes, const Matrix<float>& c, Tiles tiles) {
    const unsigned y = threadIdx.x / warpgroup * wgmma_rows;
    Place<Shared::slices> place;
    for (unsigned tile = blockIdx.x; tile < tiles.down * tiles.across; tile += gridDim.x) {
        Sums totals = {};
        for (unsigned l = 0; l < tiles.slices_of_k; ++l, place.next()) {
            const unsigned s = place.slice;
            Sums sums;
            wait_for_end_of(place.phase, shared.full[s]);
            const std::uint64_t a = descriptor(&shared.a[s][y]), b = descriptor(&shared.b[s]);
            const Scales scales(shared.a_scales[s], shared.b_scales[s]);
            __syncwarp();  // What comes behind it, the products of scales, runs beside those of the matrices.
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
            multiply<false>(sums, a, b);
#pragma unroll
            for (unsigned k = step_bytes; k < row_bytes; k += step_bytes) multiply<true>(sums, a + k / 16, b + k / 16);
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            add_scaled(totals, sums, scales);
            __syncwarp();
            if (threadIdx.x % 32 == 0) arrive(shared.empty[s]);  // each warp reads the scales itself
        }
        store_tile(shared, c_boxes, c, place_of<columns>(tile, tiles), [&](unsigned q, unsigned half) {
            return float2{totals[4 * q + 2 * half], totals[4 * q + 2 * half + 1]};
        });
    }
    wait_until_read<0>();
}

/// Each slice has its scales with it.
__device__ void produce_with_scales(Shared& shared, const CUtensorMap& a, const CUtensorMap& b,
                                    const Quantized<E4m3Blocks>& in, Tiles tiles) {
    produce<row_bytes>(
        shared, a, b, tiles, sizeof shared.a_scales[0] + sizeof shared.b_scales[0],
        [&](unsigned s, unsigned l, uint2 first) {
            copy_bytes(shared.a_scales[s], in.a_scales.row(l) + first.x, sizeof shared.a_scales[s], shared.full[s]);
            copy_bytes(shared.b_scales[s], in.b_scales.row(l) + first.y, sizeof shared.b_scales[s], shared.full[s]);
        });
}

#else
constexpr unsigned most_threads = 32;  // from this the host learns that the code is not for sm_90a
#endif

__global__ void __launch_bounds__(most_threads, 1)
    multiply_blocks(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                    const __grid_constant__ CUtensorMap c_boxes, Quantized<E4m3Blocks> in, Matrix<float> c,
                    Tiles tiles) {
#ifdef HAS_WGMMA
    extern __shared__ __align__(1024) unsigned char memory[];  // the swizzle counts from multiples of 1024
    auto& shared = *reinterpret_cast<Shared*>(memory);
    init(shared, consumers * warpgroup / 32);
    if (threadIdx.x < consumers * warpgroup) {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        consume(shared, c_boxes, c, tiles);
    } else {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == consumers * warpgroup) produce_with_scales(shared, a, b, in, tiles);
    }
#endif
}

}  // namespace

bool block_scales_is_compiled() {
    return is_compiled(multiply_blocks);
}

void block_scales(const Quantized<E4m3Blocks>& in, Matrix<float> c) {
    require_product_fits(in, c);
    if (c.rows == 0 || c.columns == 0) return;
    if (!block_scales_is_compiled())
        throw usage_error("q4_block_scales needs a GPU of compute capability 9.0, and code for sm_90a");
    if (in.shape.k == 0) {  // no box to bring
        CUDA_CHECK(cudaMemset2DAsync(c.data, c.stride * sizeof(float), 0, c.columns * sizeof(float), c.rows));
        return;
    }
    const Tiles tiles = tiles_of(c.rows, c.columns, in.a.columns / row_bytes, columns);
    constexpr unsigned bytes = sizeof(Shared);
    CUDA_CHECK(cudaFuncSetAttribute(multiply_blocks, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    multiply_blocks<<<blocks_for(tiles), block_size, bytes>>>(
        map_of(CU_TENSOR_MAP_DATA_TYPE_UINT8, in.a, tile_rows),
        map_of(CU_TENSOR_MAP_DATA_TYPE_UINT8, in.b_transposed, columns), boxes_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, c),
        in, c, tiles);
    CUDA_CHECK_LAUNCH();
}

STAGES(EightStage<E4m3Blocks>{"128 products at a time on tensor cores, their sums times scales in floats", block_scales,
                              warpgroup_mma});

}  // namespace matrix_multiply
