// New here: Hopper's own way. wgmma is an instruction of a warpgroup, four warps: it makes 64 x 256 sums, takes a and b
// straight from shared memory, and runs while the warps go on. The Tensor Memory Accelerator (TMA) brings slices: one
// thread asks for a box of a matrix, and the TMA works out the addresses, swizzles and fills with zeros beyond the
// edges. So a block has warps for one thing only. The last warp produces: it asks for slices. Two warpgroups consume
// them, each with 64 rows of the tile. Slice s of the ring is `full` when the TMA has brought its bytes, and `empty`
// when both have used it. Sums leave as slices come: a warp writes 16 rows of 32 to shared memory, and the TMA stores
// them while the warp goes on. A block stays and makes several tiles: meanwhile slices of the next tile arrive.
//
// The tile fits the matrix: where tiles of 256 columns would leave most multiprocessors without one, they have 64.
//
// Needs compute capability 9.0, and code for sm_90a: nvcc -gencode arch=compute_90a,code=sm_90a. No other GPU has
// wgmma. What remains: the tensor cores rest while sums are written to shared memory, and at 4096 the last round of
// tiles is not a full one.

#include "common/check.h"
#include "common/device.h"
#include "rounded.h"

namespace matrix_multiply {

constexpr unsigned wide = 256, narrow = 64;  // columns of a tile

}  // namespace matrix_multiply

#include "warpgroup.h"

namespace matrix_multiply {
namespace {

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HAS_WGMMA

constexpr unsigned most_threads = warpgroup_threads;

template <unsigned tile_columns>
using Sums = float[wgmma_rows * tile_columns / warpgroup];  // of a thread

/// 64 x 256 sums += 64 rows of a · 256 columns of b, for 32 bytes of k. Only starts it.
template <class T>
__device__ void multiply_add(Sums<wide>& sums, std::uint64_t a, std::uint64_t b) {
    if constexpr (std::is_same_v<T, float>)
        asm volatile("wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {" NAMES_OF_128 "}, %128, %129, 1, 1, 1;"
                     : THIRTY_TWO_FLOATS(0), THIRTY_TWO_FLOATS(32), THIRTY_TWO_FLOATS(64), THIRTY_TWO_FLOATS(96)
                     : "l"(a), "l"(b));
    else
        asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {" NAMES_OF_128
                     "}, %128, %129, 1, 1, 1, 0, 0;"
                     : THIRTY_TWO_FLOATS(0), THIRTY_TWO_FLOATS(32), THIRTY_TWO_FLOATS(64), THIRTY_TWO_FLOATS(96)
                     : "l"(a), "l"(b));
}

/// The same for 64 columns of b.
template <class T>
__device__ void multiply_add(Sums<narrow>& sums, std::uint64_t a, std::uint64_t b) {
    if constexpr (std::is_same_v<T, float>)
        asm volatile("wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {" NAMES_OF_32 "}, %32, %33, 1, 1, 1;"
                     : THIRTY_TWO_FLOATS(0)
                     : "l"(a), "l"(b));
    else
        asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {" NAMES_OF_32 "}, %32, %33, 1, 1, 1, 0, 0;"
                     : THIRTY_TWO_FLOATS(0)
                     : "l"(a), "l"(b));
}

#else
constexpr unsigned most_threads = 32;  // from this the host learns that the code is not for sm_90a
#endif

template <class T, unsigned tile_columns>
__global__ void __launch_bounds__(most_threads, 1)
    multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
             const __grid_constant__ CUtensorMap c_boxes, Matrix<float> c, Tiles tiles) {
#ifdef HAS_WGMMA
    extern __shared__ __align__(1024) unsigned char memory[];  // the swizzle counts from multiples of 1024
    auto& ring = *reinterpret_cast<Ring<tile_columns>*>(memory);
    init(ring, consumers);
    if (threadIdx.x < consumers * warpgroup)
        consume<Sums<tile_columns>>(
            ring, tiles, [](auto& sums, auto a_step, auto b_step) { multiply_add<T>(sums, a_step, b_step); },
            [&](const auto& sums, uint2 first) {
                store_tile(ring, c_boxes, c, first, [&](unsigned q, unsigned half) {
                    return float2{sums[4 * q + 2 * half], sums[4 * q + 2 * half + 1]};
                });
            });
    else if (threadIdx.x == consumers * warpgroup)
        produce<slice_depth<T>>(ring, a, b, tiles, 0, [](unsigned, unsigned, uint2) {});
#endif
}

}  // namespace

bool wgmma_is_compiled() {
    return is_compiled(multiply<float, wide>);
}

template <unsigned tile_columns, class T>
void multiply_in_tiles(const Rounded<T>& rounded, Matrix<float> c) {
    require_product_fits(rounded, c);
    if (c.rows == 0 || c.columns == 0) return;
    if (!wgmma_is_compiled()) throw usage_error("t3_wgmma needs a GPU of compute capability 9.0, and code for sm_90a");
    if (rounded.shape.k == 0) {  // no box to bring
        CUDA_CHECK(cudaMemset2DAsync(c.data, c.stride * sizeof(float), 0, c.columns * sizeof(float), c.rows));
        return;
    }
    const Tiles tiles = tiles_of(c.rows, c.columns, rounded.a.columns / slice_depth<T>, tile_columns);
    const auto type = std::is_same_v<T, float> ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    constexpr unsigned bytes = sizeof(Ring<tile_columns>);
    const auto kernel = multiply<T, tile_columns>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    kernel<<<blocks_for(tiles), warpgroup_threads, bytes>>>(map_of(type, rounded.a, tile_rows),
                                                            map_of(type, rounded.b_transposed, tile_columns),
                                                            boxes_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, c), c, tiles);
    CUDA_CHECK_LAUNCH();
}

template <class T>
void in_wide_tiles(const Rounded<T>& rounded, Matrix<float> c) {
    multiply_in_tiles<wide>(rounded, c);
}

template <class T>
void in_narrow_tiles(const Rounded<T>& rounded, Matrix<float> c) {
    multiply_in_tiles<narrow>(rounded, c);
}

/// In wide tiles if most multiprocessors get one, else in narrow ones.
template <class T>
void wgmma(const Rounded<T>& rounded, Matrix<float> c) {
    const std::size_t tiles = round_up(c.rows, 128) / 128 * (round_up(c.columns, wide) / wide);
    2 * tiles > multiprocessors() ? in_wide_tiles(rounded, c) : in_narrow_tiles(rounded, c);
}

template void wgmma(const Rounded<float>&, Matrix<float>);
template void wgmma(const Rounded<Bf16>&, Matrix<float>);

template <class T>
constexpr TensorStage<T> wgmma_stage{"warpgroups multiply, one thread brings slices by bulk copies", wgmma<T>,
                                     warpgroup_mma};
template <class T>
constexpr TensorStage<T> wide_stage{"wide", "tiles of 128 x 256, whatever the size", in_wide_tiles<T>, warpgroup_mma};
template <class T>
constexpr TensorStage<T> narrow_stage{"narrow", "tiles of 128 x 64, whatever the size", in_narrow_tiles<T>,
                                      warpgroup_mma};
STAGES(wgmma_stage<float>, wide_stage<float>, narrow_stage<float>, wgmma_stage<Bf16>, wide_stage<Bf16>,
       narrow_stage<Bf16>);

}  // namespace matrix_multiply
