#pragma once

// What the kernels with wgmma have in common: a ring of slices, a thread that fills it by bulk copies, two warpgroups
// that multiply, and how their sums are stored. For CUDA 12 or later, and kernels compiled for sm_90a.

#include <algorithm>
#include <cstdint>

#include "common/bulk_copy.h"
#include "common/device.h"
#include "matrix.h"
#include "store_two.h"

namespace matrix_multiply {

constexpr unsigned warpgroup = 128, consumers = 2, warpgroup_threads = consumers * warpgroup + 32;
constexpr unsigned tile_rows = 128;  // of c, that a block makes at once: 64 for each consumer
constexpr unsigned wgmma_rows = tile_rows / consumers;
constexpr unsigned row_bytes = 128;     // of a slice
constexpr unsigned step_bytes = 32;     // of k, that a wgmma takes
constexpr unsigned rows_of_tiles = 16;  // see place_of()
constexpr unsigned box_columns = 32;    // of c: 128 bytes, as a box has that is swizzled
constexpr unsigned box_rows = 16;       // of a warp, as wgmma leaves them to it

/// A ring of slices, so many KiB, and what says that a place in it is full, and empty. Each of the consumers' warps has
/// two boxes for its sums: while the TMA stores one, it fills the other.
template <unsigned tile_columns, unsigned kib = 192>
struct Ring {
    static constexpr unsigned columns = tile_columns, slices = kib * 1024 / ((tile_rows + columns) * row_bytes);
    unsigned char a[slices][tile_rows][row_bytes], b[slices][columns][row_bytes];
    unsigned char boxes[consumers * warpgroup / 32][2][box_rows][row_bytes];
    Barrier full[slices], empty[slices];
};

/// The tiles of c, and the slices of k that each of them takes.
struct Tiles {
    unsigned down, across, slices_of_k;
};

/// Where in the ring a warp is, and the phase of its barriers there.
template <unsigned slices>
struct Place {
    unsigned slice = 0, phase = 0;

    __device__ void next() {
        if (++slice == slices) slice = 0, phase ^= 1;
    }
};

/// How wgmma is told where a matrix is: its address, 1024 bytes from 8 rows to the next 8, swizzled in 128 bytes.
__device__ inline std::uint64_t descriptor(const void* matrix) {
    const std::uint64_t address = shared_address(matrix);
    return address / 16 | std::uint64_t{1} << 16 | std::uint64_t{1024 / 16} << 32 | std::uint64_t{1} << 62;
}

/// The first row and column of a tile. It goes down rows_of_tiles tiles and then to the next column, so that tiles that
/// blocks make at the same time share much of a and b.
template <unsigned columns>
__device__ uint2 place_of(unsigned tile, Tiles tiles) {
    const unsigned strip = rows_of_tiles * tiles.across, first = tile / strip * rows_of_tiles;
    const unsigned height = min(rows_of_tiles, tiles.down - first), in_strip = tile % strip;
    return {(first + in_strip % height) * tile_rows, in_strip / height * columns};
}

/// One thread asks for all slices of all tiles of the block, as places in the ring become empty. depth: elements of k
/// in a slice. more(s, l, first) may ask for something else that goes with slice l, more_bytes of it.
template <unsigned depth, class Ring, class More>
__device__ void produce(Ring& ring, const CUtensorMap& a, const CUtensorMap& b, Tiles tiles, unsigned more_bytes,
                        const More& more) {
    Place<Ring::slices> place{0, 1};  // an empty ring is as if the phase before had ended
    for (unsigned tile = blockIdx.x; tile < tiles.down * tiles.across; tile += gridDim.x) {
        const uint2 first = place_of<Ring::columns>(tile, tiles);
        for (unsigned l = 0; l < tiles.slices_of_k; ++l, place.next()) {
            const unsigned s = place.slice;
            wait_for_end_of(place.phase, ring.empty[s]);
            arrive_and_expect(ring.full[s], sizeof ring.a[s] + sizeof ring.b[s] + more_bytes);
            copy_box(ring.a[s], a, l * depth, first.x, ring.full[s]);
            copy_box(ring.b[s], b, l * depth, first.y, ring.full[s]);
            more(s, l, first);
        }
    }
}

/// A warpgroup makes its 64 rows of all tiles of the block, from slices as they become full. multiply_add(sums, a, b)
/// starts one step's wgmma, and store(sums, first) stores a thread's sums of the tile that begins at first.
template <class Sums, class Ring, class MultiplyAdd, class Store>
__device__ void consume(Ring& ring, Tiles tiles, const MultiplyAdd& multiply_add, const Store& store) {
    const unsigned y = threadIdx.x / warpgroup * wgmma_rows;
    const auto used = [&](unsigned slice) {
        if (threadIdx.x % warpgroup == 0) arrive(ring.empty[slice]);
    };
    Place<Ring::slices> place;
    for (unsigned tile = blockIdx.x; tile < tiles.down * tiles.across; tile += gridDim.x) {
        Sums sums = {};
        unsigned before = 0;
        for (unsigned l = 0; l < tiles.slices_of_k; ++l, place.next()) {
            const unsigned s = place.slice;
            wait_for_end_of(place.phase, ring.full[s]);
            const std::uint64_t a = descriptor(&ring.a[s][y]), b = descriptor(&ring.b[s]);
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
            for (unsigned k = 0; k < row_bytes; k += step_bytes) multiply_add(sums, a + k / 16, b + k / 16);
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");  // those of the slice before have ended
            if (l > 0) used(before);
            before = s;
        }
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        used(before);
        store(sums, place_of<Ring::columns>(tile, tiles));
    }
    wait_until_read<0>();
}

/// Whether boxes of c can be stored: the TMA wants rows that begin at multiples of 16 bytes.
template <class T>
__host__ __device__ bool fits_boxes(const Matrix<T>& c) {
    return reinterpret_cast<std::uintptr_t>(c.data) % 16 == 0 && c.stride * sizeof(T) % 16 == 0;
}

/// Stores a warp's sums of the tile that begins at first. pair(q, half): of row half * 8 + lane / 4 of its 16, the two
/// from column q * 8 + lane % 4 * 2 on. c_boxes: c, if it fits_boxes().
template <class Ring, class T, class Pair>
__device__ void store_tile(Ring& ring, const CUtensorMap& c_boxes, const Matrix<T>& c, uint2 first, const Pair& pair) {
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    first.x += warp * box_rows;
    if (!fits_boxes(c)) {  // asked once for a tile: in the loops, this question slows the kernel down
#pragma unroll
        for (unsigned q = 0; q < Ring::columns / 8; ++q)
#pragma unroll
            for (unsigned half = 0; half < 2; ++half) {
                const unsigned row = first.x + half * 8 + lane / 4;
                const auto two = pair(q, half);
                if (row < c.rows) store_two(c, row, first.y + q * 8 + lane % 4 * 2, two.x, two.y);
            }
        return;
    }
#pragma unroll
    for (unsigned x = 0; x < Ring::columns; x += box_columns) {
        auto& box = ring.boxes[warp][x / box_columns % 2];
        wait_until_read<1>();  // of what this box held before
        __syncwarp();
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) {
            const unsigned q = x / 8 + k / 2, half = k % 2, row = half * 8 + lane / 4;
            const unsigned unit = (k / 2 * 2 + lane % 4 / 2) ^ (row % 8);  // of 16 bytes, as the box is swizzled
            const auto two = pair(q, half);
            *reinterpret_cast<std::remove_const_t<decltype(two)>*>(&box[row][unit * 16 + lane % 2 * 8]) = two;
        }
        show_to_engine();
        __syncwarp();
        if (lane == 0) store_box(c_boxes, first.y + x, first.x, box);
    }
}

/// By all threads of the block, before they use the ring. arrivals: that empty a slice.
template <class Ring>
__device__ void init(Ring& ring, unsigned arrivals) {
    if (threadIdx.x == 0) {
        for (Barrier& barrier : ring.full) init(barrier, 1);
        for (Barrier& barrier : ring.empty) init(barrier, arrivals);
        show_barriers_to_engine();
    }
    __syncthreads();
}

/// Boxes of 128 bytes of `rows` rows.
template <class T>
CUtensorMap map_of(CUtensorMapDataType type, Matrix<const T> matrix, unsigned rows) {
    return tensor_map(type, matrix.data, {matrix.columns, matrix.rows}, {matrix.stride * sizeof(T)},
                      {row_bytes / sizeof(T), rows});
}

/// Boxes of c for store_tile(), if they fit.
template <class T>
CUtensorMap boxes_of(CUtensorMapDataType type, Matrix<T> c) {
    return fits_boxes(c) ? map_of<T>(type, c, box_rows) : CUtensorMap{};
}

/// Whether a kernel of warpgroup_threads threads has code for this GPU. Throws cuda_error.
template <class Kernel>
bool is_compiled(Kernel* kernel) {
    cudaFuncAttributes compiled{};
    CUDA_CHECK(cudaFuncGetAttributes(&compiled, kernel));
    return compiled.maxThreadsPerBlock >= static_cast<int>(warpgroup_threads);
}

/// The tiles of an m × n result, of so many columns.
inline Tiles tiles_of(std::size_t m, std::size_t n, std::size_t slices_of_k, unsigned columns) {
    return {grid_of(round_up(m, tile_rows) / tile_rows), grid_of(round_up(n, columns) / columns), grid_of(slices_of_k)};
}

/// As many blocks as run at once, if there are as many tiles.
inline unsigned blocks_for(Tiles tiles) {
    return std::min(grid_of(std::size_t{tiles.down} * tiles.across), multiprocessors());
}

}  // namespace matrix_multiply

// Operands and names of the sums of wgmma, ints or floats.
#define EIGHT_INTS(i)                                                                                             \
    "+r"(sums[i]), "+r"(sums[i + 1]), "+r"(sums[i + 2]), "+r"(sums[i + 3]), "+r"(sums[i + 4]), "+r"(sums[i + 5]), \
        "+r"(sums[i + 6]), "+r"(sums[i + 7])
#define THIRTY_TWO_INTS(i) EIGHT_INTS(i), EIGHT_INTS(i + 8), EIGHT_INTS(i + 16), EIGHT_INTS(i + 24)
#define EIGHT_FLOATS(i)                                                                                           \
    "+f"(sums[i]), "+f"(sums[i + 1]), "+f"(sums[i + 2]), "+f"(sums[i + 3]), "+f"(sums[i + 4]), "+f"(sums[i + 5]), \
        "+f"(sums[i + 6]), "+f"(sums[i + 7])
#define THIRTY_TWO_FLOATS(i) EIGHT_FLOATS(i), EIGHT_FLOATS(i + 8), EIGHT_FLOATS(i + 16), EIGHT_FLOATS(i + 24)
#define NAMES_OF_32                                                                                                  \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
    "%24, %25, %26, %27, %28, %29, %30, %31"
#define NAMES_OF_64                                                                                          \
    NAMES_OF_32                                                                                              \
    ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, " \
    "%52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define NAMES_OF_128                                                                                            \
    NAMES_OF_32                                                                                                 \
    ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, "    \
    "%52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, " \
    "%73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, " \
    "%94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "    \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
