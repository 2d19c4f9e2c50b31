#pragma once

// What the stages with tiles have in common: the tile of each block, quads, and elements beyond the edges.

#include <cstddef>
#include <cstdint>

#include "matrix.h"
#include "matrix_multiply.h"

namespace matrix_multiply {

__host__ __device__ inline std::size_t count_of(std::size_t n, unsigned tile) {
    return (n + tile - 1) / tile;
}

/// How many blocks c needs, one for each tile, in x only, as a grid has at most 65,535 in y. Throws usage_error.
inline unsigned tiles_of(const Matrix<float>& c, unsigned rows, unsigned columns) {
    return grid_of(count_of(c.rows, rows) * count_of(c.columns, columns));
}

struct Position {
    std::size_t row, column;
};

/// Where the block's tile of c begins.
__device__ inline Position tile_of_block(const Matrix<float>& c, unsigned rows, unsigned columns) {
    const std::size_t tiles_in_row = count_of(c.columns, columns);
    return {blockIdx.x / tiles_in_row * rows, blockIdx.x % tiles_in_row * columns};
}

/// Element (i, j). Elements outside of the matrix are 0, and add nothing to a sum.
__device__ inline float element_or_zero(const Matrix<const float>& matrix, std::size_t i, std::size_t j) {
    return i < matrix.rows && j < matrix.columns ? matrix.row(i)[j] : 0;
}

/// Elements (i, j) to (i, j + 3); j is a multiple of 4. With one load if `aligned`, which says that every fourth
/// element lies at a multiple of 16 bytes.
template <bool aligned>
__device__ float4 quad_or_zeros(const Matrix<const float>& matrix, std::size_t i, std::size_t j) {
    if (aligned && i < matrix.rows && j + 4 <= matrix.columns)
        return *reinterpret_cast<const float4*>(matrix.row(i) + j);
    return make_float4(element_or_zero(matrix, i, j), element_or_zero(matrix, i, j + 1),
                       element_or_zero(matrix, i, j + 2), element_or_zero(matrix, i, j + 3));
}

__device__ inline float4* quad_at(float* p) {
    return reinterpret_cast<float4*>(p);
}

/// Four neighbours from shared memory with one load. p: a multiple of 16 bytes.
__device__ inline void take_quad(float (&registers)[4], const float* p) {
    const float4 quad = *reinterpret_cast<const float4*>(p);
    registers[0] = quad.x;
    registers[1] = quad.y;
    registers[2] = quad.z;
    registers[3] = quad.w;
}

/// Adds the products of all elements of a column of a and all of a row of b to a thread's sums: its multiply-adds for
/// one l.
template <unsigned rows, unsigned columns>
__device__ void add_products(float (&sums)[rows][4][columns][4], const float (&a)[rows][4],
                             const float (&b)[columns][4]) {
#pragma unroll
    for (unsigned g = 0; g < rows; ++g)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
#pragma unroll
            for (unsigned h = 0; h < columns; ++h)
#pragma unroll
                for (unsigned j = 0; j < 4; ++j) sums[g][i][h][j] += a[g][i] * b[h][j];
}

/// As add_products(), but to and fro: down with one quad of b, and up with the next. Each product shares a factor with
/// the one before, which the multiplier still has, so it reads a register less.
template <unsigned rows, unsigned columns>
__device__ void add_to_and_fro(float (&sums)[rows][4][columns][4], const float (&a)[rows][4],
                               const float (&b)[columns][4]) {
#pragma unroll
    for (unsigned h = 0; h < columns; ++h)
#pragma unroll
        for (unsigned step = 0; step < 4 * rows; ++step) {
            const unsigned i = h % 2 == 0 ? step : 4 * rows - 1 - step;
#pragma unroll
            for (unsigned k = 0; k < 4; ++k) {
                const unsigned j = step % 2 == 0 ? k : 3 - k;
                sums[i / 4][i % 4][h][j] += a[i / 4][i % 4] * b[h][j];
            }
        }
}

/// Stores four neighbours, with one store if `aligned`; those outside of the matrix are left out.
template <bool aligned>
__device__ void store_quad(const Matrix<float>& matrix, std::size_t i, std::size_t j, const float (&quad)[4]) {
    if (i >= matrix.rows) return;
    float* row = matrix.row(i);
    if (aligned && j + 4 <= matrix.columns) {
        *quad_at(row + j) = make_float4(quad[0], quad[1], quad[2], quad[3]);
        return;
    }
#pragma unroll
    for (unsigned e = 0; e < 4; ++e)
        if (j + e < matrix.columns) row[j + e] = quad[e];
}

/// A block's tile, what a warp covers of it, and how many groups of four rows and of four columns a thread has.
template <unsigned rows_, unsigned columns_, unsigned warp_rows_, unsigned warp_columns_, unsigned row_groups_,
          unsigned column_groups_>
struct Tile {
    static constexpr unsigned rows = rows_, columns = columns_, warp_rows = warp_rows_, warp_columns = warp_columns_,
                              row_groups = row_groups_, column_groups = column_groups_;
    static constexpr unsigned lanes_across = warp_columns / (4 * column_groups);
    static constexpr unsigned warps_across = columns / warp_columns;
    static constexpr unsigned block_size = 32 * (rows / warp_rows) * warps_across;
    static_assert(warp_rows / (4 * row_groups) * lanes_across == 32);
};

// Rows and columns of the block's tile, of what a warp covers, and of a thread's groups of four:
using Wide = Tile<64, 128, 32, 64, 2, 2>;
/// Stores a thread's sums. (y, x): where in the block's tile, which begins at `first`, they begin.
template <class Tile, bool aligned>
__device__ void store_sums(const Matrix<float>& c, Position first, unsigned y, unsigned x,
                           const float (&sums)[Tile::row_groups][4][Tile::column_groups][4]) {
#pragma unroll
    for (unsigned g = 0; g < Tile::row_groups; ++g)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
#pragma unroll
            for (unsigned h = 0; h < Tile::column_groups; ++h)
                store_quad<aligned>(c, first.row + y + g * Tile::warp_rows / Tile::row_groups + i,
                                    first.column + x + h * Tile::warp_columns / Tile::column_groups, sums[g][i][h]);
}

/// Whether every row begins at a multiple of 16 bytes, as all do in pitched memory.
template <class T>
bool rows_are_aligned(const Matrix<T>& matrix) {
    return reinterpret_cast<std::uintptr_t>(matrix.data) % 16 == 0 && matrix.stride % 4 == 0;
}

}  // namespace matrix_multiply
