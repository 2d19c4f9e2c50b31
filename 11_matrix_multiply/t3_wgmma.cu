// New here: Hopper's own way. wgmma is an instruction of a warpgroup, four warps: it makes 64 x 256 sums, takes a and b
// straight from shared memory, and runs while the warps go on. The bulk copy engine brings slices: one thread asks for
// a box of a matrix, and the engine works out the addresses, swizzles and fills with zeros beyond the edges. So a block
// has warps for one thing only. The last warp produces: it asks for slices. Two warpgroups consume them, each with 64
// rows of the tile. Slice s of the ring is `full` when the engine has brought its bytes, and `empty` when both have
// used it. A block stays and makes several tiles: while sums are stored, slices of the next tile arrive.
//
// The tile fits the matrix: where tiles of 256 columns would leave most multiprocessors without one, they have 64.
//
// Needs compute capability 9.0, and code for sm_90a: nvcc -gencode arch=compute_90a,code=sm_90a. No other GPU has
// wgmma. What remains: the tensor cores rest while sums are stored, and at 4096 the last round of tiles is not a full
// one.

#include "common/check.h"
#include "common/device.h"
#include "rounded.h"
#include "store_two.h"

namespace matrix_multiply {

constexpr unsigned tile_rows = 128;          // of c, that a block makes at once
constexpr unsigned wide = 256, narrow = 64;  // columns of such a tile

}  // namespace matrix_multiply

#if CUDART_VERSION < 12000  // where neither wgmma nor tensor maps are known

namespace matrix_multiply {

bool wgmma_is_compiled() {
    return false;
}

template <unsigned tile_columns, class T>
void multiply_in_tiles(const Rounded<T>&, Matrix<float>) {
    throw usage_error("t3_wgmma needs CUDA 12: this toolkit knows no wgmma");
}

#else

#include <algorithm>

#include "common/bulk_copy.h"

namespace matrix_multiply {
namespace {

constexpr unsigned warpgroup = 128, consumers = 2, threads = consumers * warpgroup + 32;
constexpr unsigned row_bytes = 128;  // of a slice
constexpr unsigned ring_kib = 192;   // of slices, in shared memory

template <unsigned tile_columns>
constexpr unsigned slices = ring_kib * 1024 / ((tile_rows + tile_columns) * row_bytes);

template <unsigned tile_columns, unsigned slices = slices<tile_columns>>
struct Shared {
    unsigned char a[slices][tile_rows][row_bytes], b[slices][tile_columns][row_bytes];
    Barrier full[slices], empty[slices];
};

/// The tiles of c, and the slices of k that each of them takes.
struct Tiles {
    unsigned down, across, slices_of_k;
};

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HAS_WGMMA

constexpr unsigned most_threads = threads;
constexpr unsigned wgmma_rows = tile_rows / consumers;
constexpr unsigned step_bytes = 32;     // of k, that a wgmma takes
constexpr unsigned rows_of_tiles = 16;  // see place_of()

template <unsigned tile_columns>
using Sums = float[wgmma_rows * tile_columns / warpgroup];  // of a thread

/// Where in the ring a warp is, and the phase of its barriers there.
template <unsigned slices>
struct Place {
    unsigned slice = 0, phase = 0;

    __device__ void next() {
        if (++slice == slices) slice = 0, phase ^= 1;
    }
};

/// How wgmma is told where a matrix is: its address, 1024 bytes from 8 rows to the next 8, swizzled in 128 bytes.
__device__ std::uint64_t descriptor(const void* matrix) {
    const std::uint64_t address = shared_address(matrix);
    return address / 16 | std::uint64_t{1} << 16 | std::uint64_t{1024 / 16} << 32 | std::uint64_t{1} << 62;
}

#define EIGHT(i)                                                                                                  \
    "+f"(sums[i]), "+f"(sums[i + 1]), "+f"(sums[i + 2]), "+f"(sums[i + 3]), "+f"(sums[i + 4]), "+f"(sums[i + 5]), \
        "+f"(sums[i + 6]), "+f"(sums[i + 7])
#define THIRTY_TWO(i) EIGHT(i), EIGHT(i + 8), EIGHT(i + 16), EIGHT(i + 24)
#define NAMES_32                                                                                                     \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
    "%24, %25, %26, %27, %28, %29, %30, %31"
#define NAMES_128                                                                                                      \
    NAMES_32                                                                                                           \
    ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, " \
    "%54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, "   \
    "%76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, "   \
    "%98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, " \
    "%117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

/// 64 x 256 sums += 64 rows of a · 256 columns of b, for 32 bytes of k. Only starts it.
template <class T>
__device__ void multiply_add(Sums<wide>& sums, std::uint64_t a, std::uint64_t b) {
    if constexpr (std::is_same_v<T, float>)
        asm volatile("wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {" NAMES_128 "}, %128, %129, 1, 1, 1;"
                     : THIRTY_TWO(0), THIRTY_TWO(32), THIRTY_TWO(64), THIRTY_TWO(96)
                     : "l"(a), "l"(b));
    else
        asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {" NAMES_128 "}, %128, %129, 1, 1, 1, 0, 0;"
                     : THIRTY_TWO(0), THIRTY_TWO(32), THIRTY_TWO(64), THIRTY_TWO(96)
                     : "l"(a), "l"(b));
}

/// The same for 64 columns of b.
template <class T>
__device__ void multiply_add(Sums<narrow>& sums, std::uint64_t a, std::uint64_t b) {
    if constexpr (std::is_same_v<T, float>)
        asm volatile("wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {" NAMES_32 "}, %32, %33, 1, 1, 1;"
                     : THIRTY_TWO(0)
                     : "l"(a), "l"(b));
    else
        asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {" NAMES_32 "}, %32, %33, 1, 1, 1, 0, 0;"
                     : THIRTY_TWO(0)
                     : "l"(a), "l"(b));
}

/// The first row and column of a tile. It goes down rows_of_tiles tiles and then to the next column, so that tiles that
/// blocks make at the same time share much of a and b.
template <unsigned tile_columns>
__device__ uint2 place_of(unsigned tile, Tiles tiles) {
    const unsigned strip = rows_of_tiles * tiles.across, first = tile / strip * rows_of_tiles;
    const unsigned height = min(rows_of_tiles, tiles.down - first), in_strip = tile % strip;
    return {(first + in_strip % height) * tile_rows, in_strip / height * tile_columns};
}

/// One thread asks for all slices of all tiles of the block, as places in the ring become empty.
template <class T, unsigned tile_columns>
__device__ void produce(Shared<tile_columns>& shared, const CUtensorMap& a, const CUtensorMap& b, Tiles tiles) {
    Place<slices<tile_columns>> place{0, 1};  // an empty ring is as if the phase before had ended
    for (unsigned tile = blockIdx.x; tile < tiles.down * tiles.across; tile += gridDim.x) {
        const uint2 first = place_of<tile_columns>(tile, tiles);
        for (unsigned l = 0; l < tiles.slices_of_k; ++l, place.next()) {
            const unsigned s = place.slice, k = l * slice_depth<T>;
            wait_for_end_of(place.phase, shared.empty[s]);
            arrive_and_expect(shared.full[s], sizeof shared.a[s] + sizeof shared.b[s]);
            copy_box(shared.a[s], a, k, first.x, shared.full[s]);
            copy_box(shared.b[s], b, k, first.y, shared.full[s]);
        }
    }
}

/// A lane has two neighbours in row lane / 4 of its warp's 16 rows, two in the row 8 below, and so on, 8 columns on.
template <unsigned tile_columns>
__device__ void store(const Sums<tile_columns>& sums, const Matrix<float>& c, uint2 first) {
    const unsigned warp = threadIdx.x % warpgroup / 32, lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
        const std::size_t i = first.x + warp * 16 + half * 8 + lane / 4;
        if (i >= c.rows) continue;
#pragma unroll
        for (unsigned q = 0; q < tile_columns / 8; ++q)
            store_two(c, i, first.y + q * 8 + lane % 4 * 2, sums[4 * q + 2 * half], sums[4 * q + 2 * half + 1]);
    }
}

template <class T, unsigned tile_columns>
__device__ void consume(Shared<tile_columns>& shared, const Matrix<float>& c, Tiles tiles) {
    const unsigned y = threadIdx.x / warpgroup * wgmma_rows;
    const auto used = [&](unsigned slice) {
        if (threadIdx.x % warpgroup == 0) arrive(shared.empty[slice]);
    };
    Place<slices<tile_columns>> place;
    for (unsigned tile = blockIdx.x; tile < tiles.down * tiles.across; tile += gridDim.x) {
        Sums<tile_columns> sums = {};
        unsigned before = 0;
        for (unsigned l = 0; l < tiles.slices_of_k; ++l, place.next()) {
            const unsigned s = place.slice;
            wait_for_end_of(place.phase, shared.full[s]);
            const std::uint64_t a = descriptor(&shared.a[s][y]), b = descriptor(&shared.b[s]);
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
            for (unsigned k = 0; k < row_bytes; k += step_bytes) multiply_add<T>(sums, a + k / 16, b + k / 16);
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");  // those of the slice before have ended
            if (l > 0) used(before);
            before = s;
        }
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        used(before);
        const uint2 first = place_of<tile_columns>(tile, tiles);
        store<tile_columns>(sums, c, {first.x + y, first.y});
    }
}

#else
constexpr unsigned most_threads = 32;  // from this the host learns that the code is not for sm_90a
#endif

template <class T, unsigned tile_columns>
__global__ void __launch_bounds__(most_threads, 1)
    multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, Matrix<float> c,
             Tiles tiles) {
#ifdef HAS_WGMMA
    extern __shared__ __align__(1024) unsigned char memory[];  // the swizzle counts from multiples of 1024
    auto& shared = *reinterpret_cast<Shared<tile_columns>*>(memory);
    if (threadIdx.x == 0) {
        for (Barrier& barrier : shared.full) init(barrier, 1);
        for (Barrier& barrier : shared.empty) init(barrier, consumers);
        show_barriers_to_engine();
    }
    __syncthreads();
    if (threadIdx.x < consumers * warpgroup)
        consume<T>(shared, c, tiles);
    else if (threadIdx.x == consumers * warpgroup)
        produce<T>(shared, a, b, tiles);
#endif
}

/// Boxes of 128 bytes of `rows` rows.
template <class T>
CUtensorMap map_of(Matrix<const T> matrix, unsigned rows) {
    const auto type = std::is_same_v<T, float> ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    return tensor_map(type, matrix.data, {matrix.columns, matrix.rows}, {matrix.stride * sizeof(T)},
                      {slice_depth<T>, rows});
}

}  // namespace

bool wgmma_is_compiled() {
    cudaFuncAttributes compiled{};
    CUDA_CHECK(cudaFuncGetAttributes(&compiled, multiply<float, wide>));
    return compiled.maxThreadsPerBlock >= static_cast<int>(threads);
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
    const Tiles tiles{grid_of(round_up(c.rows, tile_rows) / tile_rows),
                      grid_of(round_up(c.columns, tile_columns) / tile_columns),
                      grid_of(rounded.a.columns / slice_depth<T>)};
    const unsigned blocks = std::min(grid_of(std::size_t{tiles.down} * tiles.across), multiprocessors());
    constexpr unsigned bytes = sizeof(Shared<tile_columns>);
    const auto kernel = multiply<T, tile_columns>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    kernel<<<blocks, threads, bytes>>>(map_of(rounded.a, tile_rows), map_of(rounded.b_transposed, tile_columns), c,
                                       tiles);
    CUDA_CHECK_LAUNCH();
}

#endif

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
    const std::size_t tiles = round_up(c.rows, tile_rows) / tile_rows * (round_up(c.columns, wide) / wide);
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
