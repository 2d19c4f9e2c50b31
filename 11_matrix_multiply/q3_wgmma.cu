// New here: Hopper's wgmma for bytes: 64 x 256 sums of 32 products each, for four warps. The kernel is that of
// t3_wgmma, a producer and two consumers. Floats of eight bits are added up by the tensor cores, and the sums are
// scaled when they are stored.
//
// Needs compute capability 9.0, and code for sm_90a. What remains: the tensor cores keep few bits of a sum of E4M3 or
// E5M2, and the longer it is, the more is lost.

#include "common/check.h"
#include "eight.h"
#include "warpgroup.h"

namespace matrix_multiply {
namespace {

constexpr unsigned wide = 256, narrow = 64;  // columns of a tile

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HAS_WGMMA

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
constexpr bool has_fp8 = true;
#else
constexpr bool has_fp8 = false;  // the emulator has wgmma for whole numbers, and not for FP8
#endif

/// From this the host learns whether there is code.
template <class F>
constexpr unsigned most_threads = std::is_same_v<F, Int8> || has_fp8 ? warpgroup_threads : 32;

template <class F, unsigned columns>
using Sums = typename F::Sum[wgmma_rows * columns / warpgroup];  // of a thread

/// 64 x 256 sums += 64 rows of a · 256 columns of b, for 32 bytes of k. Only starts it.
__device__ void multiply_add(Int8, Sums<Int8, wide>& sums, std::uint64_t a, std::uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {" NAMES_OF_128 "}, %128, %129, 1;"
                 : THIRTY_TWO_INTS(0), THIRTY_TWO_INTS(32), THIRTY_TWO_INTS(64), THIRTY_TWO_INTS(96)
                 : "l"(a), "l"(b));
}

/// The same for 64 columns of b.
__device__ void multiply_add(Int8, Sums<Int8, narrow>& sums, std::uint64_t a, std::uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.s8 {" NAMES_OF_32 "}, %32, %33, 1;"
                 : THIRTY_TWO_INTS(0)
                 : "l"(a), "l"(b));
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

__device__ void multiply_add(E4m3, Sums<E4m3, wide>& sums, std::uint64_t a, std::uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3 {" NAMES_OF_128 "}, %128, %129, 1, 1, 1;"
                 : THIRTY_TWO_FLOATS(0), THIRTY_TWO_FLOATS(32), THIRTY_TWO_FLOATS(64), THIRTY_TWO_FLOATS(96)
                 : "l"(a), "l"(b));
}

__device__ void multiply_add(E4m3, Sums<E4m3, narrow>& sums, std::uint64_t a, std::uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 {" NAMES_OF_32 "}, %32, %33, 1, 1, 1;"
                 : THIRTY_TWO_FLOATS(0)
                 : "l"(a), "l"(b));
}

__device__ void multiply_add(E5m2, Sums<E5m2, wide>& sums, std::uint64_t a, std::uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k32.f32.e5m2.e5m2 {" NAMES_OF_128 "}, %128, %129, 1, 1, 1;"
                 : THIRTY_TWO_FLOATS(0), THIRTY_TWO_FLOATS(32), THIRTY_TWO_FLOATS(64), THIRTY_TWO_FLOATS(96)
                 : "l"(a), "l"(b));
}

__device__ void multiply_add(E5m2, Sums<E5m2, narrow>& sums, std::uint64_t a, std::uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k32.f32.e5m2.e5m2 {" NAMES_OF_32 "}, %32, %33, 1, 1, 1;"
                 : THIRTY_TWO_FLOATS(0)
                 : "l"(a), "l"(b));
}

#else

template <class F, class Sums>
__device__ void multiply_add(F, Sums&, std::uint64_t, std::uint64_t) {
    __trap();
}

#endif

/// Sums of eight-bit floats are multiplied by the scales of their row and column. A warp loads the scales of all
/// columns at once, two neighbours a lane, and lanes give them to each other.
template <class F, class Ring, class Sums>
__device__ void store(Ring& ring, const CUtensorMap& c_boxes, const Sums& sums, const Quantized<F>& in,
                      const Matrix<typename F::Sum>& c, uint2 first) {
    constexpr bool scales = !std::is_same_v<F, Int8>;
    const unsigned lane = threadIdx.x % 32;
    const std::size_t i = first.x + threadIdx.x / 32 * box_rows + lane / 4;
    float of_rows[2];
    float2 of_columns[Ring::columns / 64];
#pragma unroll
    for (unsigned half = 0; half < 2; ++half)
        of_rows[half] = scales && i + half * 8 < c.rows ? __ldg(&in.a_scales.data[i + half * 8]) : 0;
#pragma unroll
    for (unsigned x = 0; x < Ring::columns; x += 64) {
        const std::size_t j = first.y + x + lane * 2;
        of_columns[x / 64] =
            scales && j < c.columns ? __ldg(reinterpret_cast<const float2*>(&in.b_scales.data[j])) : float2{};
    }
    store_tile(ring, c_boxes, c, first, [&](unsigned q, unsigned half) {
        const auto* two = &sums[4 * q + 2 * half];
        if constexpr (scales) {
            const unsigned holder = q % 8 * 4 + lane % 4;
            const float x = __shfl_sync(0xffffffff, of_columns[q / 8].x, holder);
            const float y = __shfl_sync(0xffffffff, of_columns[q / 8].y, holder);
            return float2{two[0] * (of_rows[half] * x), two[1] * (of_rows[half] * y)};
        } else {
            return int2{two[0], two[1]};
        }
    });
}

#else
template <class F>
constexpr unsigned most_threads = 32;
#endif

template <class F, unsigned columns>
__global__ void __launch_bounds__(most_threads<F>, 1)
    multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
             const __grid_constant__ CUtensorMap c_boxes, Quantized<F> in, Matrix<typename F::Sum> c, Tiles tiles) {
#ifdef HAS_WGMMA
    extern __shared__ __align__(1024) unsigned char memory[];  // the swizzle counts from multiples of 1024
    auto& ring = *reinterpret_cast<Ring<columns>*>(memory);
    init(ring, consumers);
    if (threadIdx.x < consumers * warpgroup)
        consume<Sums<F, columns>>(
            ring, tiles, [](auto& sums, auto a_step, auto b_step) { multiply_add(F{}, sums, a_step, b_step); },
            [&](const auto& sums, uint2 first) { store(ring, c_boxes, sums, in, c, first); });
    else if (threadIdx.x == consumers * warpgroup)
        produce<row_bytes>(ring, a, b, tiles, 0, [](unsigned, unsigned, uint2) {});
#endif
}

}  // namespace

template <class F>
bool wgmma_is_compiled_for() {
    return is_compiled(multiply<F, wide>);
}

template <unsigned columns, class F>
void multiply_in_tiles(const Quantized<F>& in, Matrix<typename F::Sum> c) {
    require_product_fits(in, c);
    if (c.rows == 0 || c.columns == 0) return;
    if (!wgmma_is_compiled_for<F>())
        throw usage_error("q3_wgmma needs a GPU of compute capability 9.0, and code for sm_90a");
    if (in.shape.k == 0) {  // no box to bring
        CUDA_CHECK(cudaMemset2DAsync(c.data, c.stride * sizeof *c.data, 0, c.columns * sizeof *c.data, c.rows));
        return;
    }
    const Tiles tiles = tiles_of(c.rows, c.columns, in.a.columns / row_bytes, columns);
    const auto kernel = multiply<F, columns>;
    constexpr unsigned bytes = sizeof(Ring<columns>);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    kernel<<<blocks_for(tiles), warpgroup_threads, bytes>>>(
        map_of(CU_TENSOR_MAP_DATA_TYPE_UINT8, in.a, tile_rows),
        map_of(CU_TENSOR_MAP_DATA_TYPE_UINT8, in.b_transposed, columns),
        boxes_of(std::is_same_v<F, Int8> ? CU_TENSOR_MAP_DATA_TYPE_INT32 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32, c), in, c,
        tiles);
    CUDA_CHECK_LAUNCH();
}

template <class F>
void bytes_in_wide_tiles(const Quantized<F>& in, Matrix<typename F::Sum> c) {
    multiply_in_tiles<wide>(in, c);
}

template <class F>
void bytes_in_narrow_tiles(const Quantized<F>& in, Matrix<typename F::Sum> c) {
    multiply_in_tiles<narrow>(in, c);
}

/// In wide tiles if most multiprocessors get one, else in narrow ones.
template <class F>
void wgmma_bytes(const Quantized<F>& in, Matrix<typename F::Sum> c) {
    const std::size_t tiles = round_up(c.rows, 128) / 128 * (round_up(c.columns, wide) / wide);
    2 * tiles > multiprocessors() ? bytes_in_wide_tiles(in, c) : bytes_in_narrow_tiles(in, c);
}

template bool wgmma_is_compiled_for<Int8>();
template bool wgmma_is_compiled_for<E4m3>();
template bool wgmma_is_compiled_for<E5m2>();
template void wgmma_bytes(const Quantized<Int8>&, Matrix<int>);
template void wgmma_bytes(const Quantized<E4m3>&, Matrix<float>);
template void wgmma_bytes(const Quantized<E5m2>&, Matrix<float>);

template <class F>
constexpr EightStage<F> wgmma_bytes_stage{"four warps' instruction, and one thread that brings slices", wgmma_bytes<F>,
                                          warpgroup_mma};
template <class F>
constexpr EightStage<F> wide_bytes_stage{"wide", "tiles of 128 x 256, whatever the size", bytes_in_wide_tiles<F>,
                                         warpgroup_mma};
template <class F>
constexpr EightStage<F> narrow_bytes_stage{"narrow", "tiles of 128 x 64, whatever the size", bytes_in_narrow_tiles<F>,
                                           warpgroup_mma};
STAGES(wgmma_bytes_stage<Int8>, wide_bytes_stage<Int8>, narrow_bytes_stage<Int8>, wgmma_bytes_stage<E4m3>,
       wide_bytes_stage<E4m3>, narrow_bytes_stage<E4m3>, wgmma_bytes_stage<E5m2>, wide_bytes_stage<E5m2>,
       narrow_bytes_stage<E5m2>);

}  // namespace matrix_multiply
