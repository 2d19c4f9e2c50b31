// New here: no thread spends instructions on loads from global memory. Hopper's Tensor Memory Accelerator (TMA) brings
// a slice of each matrix when one thread asks for it, and fills with zeros beyond the edges. Threads only transpose a's
// part, from one place of shared memory to another. Barriers in shared memory say what has arrived, so that no thread
// waits for the whole block. What remains: tiles of 128 × 128 are few for small matrices. Needs compute capability 9.0.

#include "common/bulk_copy.h"
#include "common/check.h"
#include "common/device_buffer.h"
#include "matrix_multiply.h"
#include "tiles.h"

namespace matrix_multiply {
namespace {

constexpr unsigned tile_rows = 128, tile_columns = 128;  // of c, that a block makes
constexpr unsigned warp_rows = 32, warp_columns = 64;    // of them, that a warp makes
constexpr unsigned warps_across = tile_columns / warp_columns, warps_of_block = tile_rows / warp_rows * warps_across;
constexpr unsigned block_size = 32 * warps_of_block, blocks_at_once = 2;
constexpr unsigned depth = 32, buffers = 3;

struct Shared {
    float rows_of_a[tile_rows][depth];  // of the next slice, as they came: each row's quads are swizzled
    struct Slice {
        float a[depth][tile_rows], b[depth][tile_columns];
    } slices[buffers];
    Barrier arrived, full[buffers];
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define HAS_COPY_ENGINE

/// Brings rows of a to a slice's columns. In each group of 32 rows the order changes: the quad at 4 g of a column is
/// made of rows g, g + 8, g + 16 and g + 24. So eight lanes load from eight neighbouring rows, which the swizzle puts
/// into different banks.
__device__ void transpose(const Shared& shared, Shared::Slice& to) {
    constexpr unsigned quads = depth / 4;
    const unsigned g = threadIdx.x % 8, q = threadIdx.x / 8 % quads, group = threadIdx.x / 8 / quads * 32;
    static_assert(block_size == 8 * quads * (tile_rows / 32));
    float rows[4][4];
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) take_quad(rows[i], &shared.rows_of_a[group + g + 8 * i][(q ^ g) * 4]);
#pragma unroll
    for (unsigned e = 0; e < 4; ++e)
        *quad_at(&to.a[4 * q + e][group + 4 * g]) = make_float4(rows[0][e], rows[1][e], rows[2][e], rows[3][e]);
}

/// Where that order has the row that is at `place`.
__device__ unsigned row_at(unsigned place) {
    return place / 32 * 32 + place % 32 / 4 + place % 4 * 8;
}

/// The sums of a thread are of rows from y and from y + warp_rows / 2 on, and of columns likewise.
__device__ void store(Matrix<float> c, Position first, unsigned y, unsigned x, const float (&sums)[2][4][2][4]) {
#pragma unroll
    for (unsigned g = 0; g < 2; ++g)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
#pragma unroll
            for (unsigned h = 0; h < 2; ++h)
                store_quad<true>(c, first.row + row_at(y + g * warp_rows / 2 + i),
                                 first.column + x + h * warp_columns / 2, sums[g][i][h]);
}

/// One thread does this for the block.
__device__ void init_barriers(Shared& shared) {
    init(shared.arrived, 1);
    for (Barrier& barrier : shared.full)
        init(barrier, 1 + block_size);  // the thread that asks, and those that transpose
    show_barriers_to_engine();
}

#endif

__global__ void __launch_bounds__(block_size, blocks_at_once)
    multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, Matrix<float> c,
             unsigned slices) {
#ifdef HAS_COPY_ENGINE
    extern __shared__ __align__(1024) unsigned char dynamic[];  // the swizzle counts from multiples of 1024
    Shared& shared = *reinterpret_cast<Shared*>(dynamic);
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned y = warp / warps_across * warp_rows + (lane / 16 * 2 + lane % 2) * 4;
    const unsigned x = warp % warps_across * warp_columns + lane / 2 % 8 * 4;
    const Position first = tile_of_block(c, tile_rows, tile_columns);

    const auto ask_for = [&](unsigned s, unsigned place) {
        arrive_and_expect(shared.arrived, sizeof shared.rows_of_a);
        copy_box(shared.rows_of_a, a, s * depth, first.row, shared.arrived);
        arrive_and_expect(shared.full[place], sizeof shared.slices[place].b);
        copy_box(shared.slices[place].b, b, first.column, s * depth, shared.full[place]);
    };
    const auto transpose_to = [&](unsigned place) {
        transpose(shared, shared.slices[place]);
        arrive(shared.full[place]);
    };
    if (threadIdx.x == 0) {
        init_barriers(shared);
        ask_for(0, 0);
    }
    __syncthreads();
    wait_for_end_of(0, shared.arrived);
    transpose_to(0);
    wait_for_end_of(0, shared.full[0]);

    // The operands of an even l and of an odd one: while one pair is used, the other is loaded.
    float a_part[2][2][4], b_part[2][2][4], sums[2][4][2][4] = {};
    const auto take = [&](const Shared::Slice& from, unsigned l) {
        for (unsigned g = 0; g < 2; ++g) take_quad(a_part[l % 2][g], &from.a[l][y + g * warp_rows / 2]);
        for (unsigned g = 0; g < 2; ++g) take_quad(b_part[l % 2][g], &from.b[l][x + g * warp_columns / 2]);
    };
    take(shared.slices[0], 0);
    unsigned now = 0, phase = 0;
    for (unsigned s = 0; s < slices; ++s) {
        // Slice s is full, so all warps are beyond the middle of slice s - 1: nobody needs the rows of a that came
        // then, nor slice s - 2, in whose place the next one comes.
        const unsigned next = now + 1 == buffers ? 0 : now + 1;
        const bool more = s + 1 < slices;
        if (next == 0) phase ^= 1;
        if (threadIdx.x == 0 && more) ask_for(s + 1, next);
#pragma unroll
        for (unsigned l = 0; l < depth; ++l) {
            if (l == depth / 2 && more) {
                wait_for_end_of((s + 1) % 2, shared.arrived);
                transpose_to(next);
            }
            if (l == depth - 1 && more) wait_for_end_of(phase, shared.full[next]);
            if (l + 1 < depth || more) take(shared.slices[l + 1 < depth ? now : next], (l + 1) % depth);
            add_to_and_fro(sums, a_part[l % 2], b_part[l % 2]);
        }
        now = next;
    }
    store(c, first, y, x, sums);
#else
    __trap();
#endif
}

CUtensorMap map_of(Matrix<const float> m, unsigned columns, unsigned rows, CUtensorMapSwizzle swizzle) {
    return tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, m.data, {m.columns, m.rows}, {m.stride * sizeof(float)},
                      {columns, rows}, swizzle);
}

void launch(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    CUDA_CHECK(cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
    multiply<<<tiles_of(c, tile_rows, tile_columns), block_size, sizeof(Shared)>>>(
        map_of(a, depth, tile_rows, CU_TENSOR_MAP_SWIZZLE_128B),
        map_of(b, tile_columns, depth, CU_TENSOR_MAP_SWIZZLE_NONE), c,
        static_cast<unsigned>(count_of(a.columns, depth)));
    CUDA_CHECK_LAUNCH();
}

/// A matrix of the same shape in new memory, whose rows begin at multiples of 16 bytes.
Matrix<float> like(Matrix<const float> m, DeviceBuffer<float>& memory) {
    const std::size_t stride = count_of(m.columns, 4) * 4;
    memory = DeviceBuffer<float>(m.rows * stride);
    return {memory.data(), m.rows, m.columns, stride};
}

void copy(Matrix<const float> from, Matrix<float> to) {
    CUDA_CHECK(cudaMemcpy2DAsync(to.data, to.stride * sizeof(float), from.data, from.stride * sizeof(float),
                                 from.columns * sizeof(float), from.rows, cudaMemcpyDeviceToDevice));
}

}  // namespace

void bulk_copies(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    shape_of(a, b, c);
    if (c.rows == 0 || c.columns == 0) return;
    if (a.columns == 0) {  // no box to bring
        CUDA_CHECK(cudaMemset2DAsync(c.data, c.stride * sizeof(float), 0, c.columns * sizeof(float), c.rows));
        return;
    }
    if (rows_are_aligned(a) && rows_are_aligned(b) && rows_are_aligned(c)) return launch(a, b, c);
    // The TMA takes rows that begin at multiples of 16 bytes. Others are copied first, and the result last.
    DeviceBuffer<float> memory[3];
    const Matrix<float> own_a = like(a, memory[0]), own_b = like(b, memory[1]), own_c = like(c, memory[2]);
    copy(a, own_a);
    copy(b, own_b);
    launch(own_a, own_b, own_c);
    copy(own_c, c);
}

STAGES(Stage{{"the TMA loads, and no thread does", bulk_copies, copy_engine}, Rows::pitched});

}  // namespace matrix_multiply
