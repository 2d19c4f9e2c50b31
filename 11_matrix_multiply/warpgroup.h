#pragma once

// What t3_wgmma explains, for bytes: a ring of slices that one thread fills by bulk copies, and how wgmma finds them.
// New here are clusters: two blocks on neighbouring multiprocessors, with tiles of c one below the other, need the same
// slices of b. Each block brings half of them, and the copy engine writes it to the shared memory of both. For CUDA 12
// or later, and kernels compiled for sm_90a.

#include <algorithm>

#include "common/bulk_copy.h"
#include "common/device.h"
#include "eight.h"

namespace matrix_multiply {

constexpr unsigned warpgroup = 128, consumers = 2, warpgroup_threads = consumers * warpgroup + 32;
constexpr unsigned tile_rows = 128;  // of c, that a block makes at once: 64 for each consumer
constexpr unsigned wgmma_rows = tile_rows / consumers;
constexpr unsigned row_bytes = 128;     // of a slice
constexpr unsigned step_bytes = 32;     // of k, that a wgmma takes
constexpr unsigned rows_of_tiles = 16;  // see place_of()
constexpr unsigned ring_kib = 192;      // of slices, in shared memory

/// A ring of slices, and what says that a place in it is full, and empty.
template <unsigned columns>
struct Ring {
    static constexpr unsigned slices = ring_kib * 1024 / ((tile_rows + columns) * row_bytes);
    unsigned char a[slices][tile_rows][row_bytes], b[slices][columns][row_bytes];
    Barrier full[slices], empty[slices];
};

/// The tiles of c, and the slices of k that each of them takes.
struct ByteTiles {
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

__device__ inline unsigned rank_in_cluster() {
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/// All threads of the cluster wait for each other.
__device__ inline void sync_cluster() {
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

/// Arrives at the barrier that the block of this rank has at the same place.
__device__ inline void arrive_at(unsigned rank, Barrier& barrier) {
    asm volatile(
        "{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n}" ::"r"(shared_address(&barrier)),
        "r"(rank)
        : "memory");
}

/// As copy_box(), to the same place in all blocks of the cluster, and each one's barrier counts the bytes.
__device__ inline void copy_box_to_all(unsigned blocks, void* to, const CUtensorMap& from, unsigned column,
                                       unsigned row, const Barrier& barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
        "[%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
        "l"(&from), "r"(column), "r"(row), "r"(shared_address(&barrier)),
        "h"(static_cast<unsigned short>((1u << blocks) - 1))
        : "memory");
}

/// The first row and column of a tile. It goes down rows_of_tiles tiles and then to the next column, so that tiles that
/// blocks make at the same time share much of a and b, and those of a cluster are one below the other.
template <unsigned columns>
__device__ uint2 place_of(unsigned tile, ByteTiles tiles) {
    const unsigned strip = rows_of_tiles * tiles.across, first = tile / strip * rows_of_tiles;
    const unsigned height = min(rows_of_tiles, tiles.down - first), in_strip = tile % strip;
    return {(first + in_strip % height) * tile_rows, in_strip / height * columns};
}

/// One thread asks for all slices of all tiles of the block, as places in the rings of the cluster become empty.
template <unsigned cluster, unsigned columns>
__device__ void produce(Ring<columns>& ring, const CUtensorMap& a, const CUtensorMap& b, ByteTiles tiles) {
    constexpr unsigned part = columns / cluster;
    const unsigned rank = cluster == 1 ? 0 : rank_in_cluster();
    Place<Ring<columns>::slices> place{0, 1};  // an empty ring is as if the phase before had ended
    for (unsigned tile = blockIdx.x; tile < tiles.down * tiles.across; tile += gridDim.x) {
        const uint2 first = place_of<columns>(tile, tiles);
        for (unsigned l = 0; l < tiles.slices_of_k; ++l, place.next()) {
            const unsigned s = place.slice, k = l * row_bytes;
            wait_for_end_of(place.phase, ring.empty[s]);
            arrive_and_expect(ring.full[s], sizeof ring.a[s] + sizeof ring.b[s]);
            copy_box(ring.a[s], a, k, first.x, ring.full[s]);
            if constexpr (cluster == 1)
                copy_box(ring.b[s], b, k, first.y, ring.full[s]);
            else
                copy_box_to_all(cluster, ring.b[s][rank * part], b, k, first.y + rank * part, ring.full[s]);
        }
    }
}

/// The consumers of a block have used a slice. All producers of the cluster write to this place, so all are told.
template <unsigned cluster>
__device__ void used(Barrier& empty) {
    const unsigned thread = threadIdx.x % warpgroup;
    if constexpr (cluster == 1) {
        if (thread == 0) arrive(empty);
    } else {
        if (thread < cluster) arrive_at(thread, empty);
    }
}

/// By all threads of the cluster, before they use the ring.
template <unsigned cluster, unsigned columns>
__device__ void init(Ring<columns>& ring) {
    if (threadIdx.x == 0) {
        for (Barrier& barrier : ring.full) init(barrier, 1);
        for (Barrier& barrier : ring.empty) init(barrier, consumers * cluster);
        show_barriers_to_engine();
    }
    if constexpr (cluster == 1)
        __syncthreads();
    else
        sync_cluster();
}

/// Boxes of 128 bytes of `rows` rows.
template <class T>
CUtensorMap map_of(Matrix<const T> matrix, unsigned rows) {
    return tensor_map(CU_TENSOR_MAP_DATA_TYPE_UINT8, matrix.data, {matrix.columns, matrix.rows}, {matrix.stride},
                      {row_bytes, rows});
}

/// Launches the kernel with as many clusters as the device runs at once, if there are as many tiles.
template <unsigned cluster, unsigned columns, class F>
void launch_in_clusters(void (*kernel)(CUtensorMap, CUtensorMap, Quantized<F>, Matrix<typename F::Sum>, ByteTiles),
                        const Quantized<F>& in, Matrix<typename F::Sum> c) {
    const ByteTiles tiles{grid_of(round_up(round_up(c.rows, tile_rows) / tile_rows, cluster)),
                          grid_of(round_up(c.columns, columns) / columns), grid_of(in.a.columns / row_bytes)};
    cudaLaunchConfig_t config{};
    config.blockDim = warpgroup_threads;
    config.dynamicSmemBytes = sizeof(Ring<columns>);
    config.gridDim = std::min(grid_of(std::size_t{tiles.down} * tiles.across), multiprocessors() / cluster * cluster);
    cudaLaunchAttribute size{};
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = cluster, size.val.clusterDim.y = size.val.clusterDim.z = 1;
    config.attrs = &size;
    config.numAttrs = 1;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Ring<columns>)));
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, map_of(in.a, tile_rows), map_of(in.b_transposed, columns / cluster),
                                  in, c, tiles));
}

}  // namespace matrix_multiply

// Operands and names of wgmma's sums: x(register) is "+f"(register) or "+r"(register).
#define EIGHT_SUMS(x, i) \
    x(sums[i]), x(sums[i + 1]), x(sums[i + 2]), x(sums[i + 3]), x(sums[i + 4]), x(sums[i + 5]), x(sums[i + 6]), \
        x(sums[i + 7])
#define THIRTY_TWO_SUMS(x, i) EIGHT_SUMS(x, i), EIGHT_SUMS(x, i + 8), EIGHT_SUMS(x, i + 16), EIGHT_SUMS(x, i + 24)
#define AS_INT(x) "+r"(x)
#define AS_FLOAT(x) "+f"(x)
#define NAMES_OF_32                                                                                                  \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
    "%24, %25, %26, %27, %28, %29, %30, %31"
#define NAMES_OF_64                                                                                                    \
    NAMES_OF_32                                                                                                        \
    ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, " \
    "%54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define NAMES_OF_128                                                                                                   \
    NAMES_OF_64                                                                                                        \
    ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, " \
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, " \
    "%107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, "     \
    "%125, %126, %127"
