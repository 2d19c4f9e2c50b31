#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "common/errors.h"
#include "common/stage.h"
#include "matrix.h"

// c = a · b for any m × k and k × n. Here for floats; binary.h has the same for matrices of +1 and -1.
namespace matrix_multiply {

struct Shape {
    std::size_t m, k, n;
};

/// c = a · b. The matrices are in device memory, do not overlap and may have any strides; data need no alignment beyond
/// a float's. If k is 0, all of c becomes 0; m or n may be 0 too. The work is queued, not waited for. Throws
/// cuda_error, and usage_error for matrices that do not fit each other.
using Launch = void(Matrix<const float> a, Matrix<const float> b, Matrix<float> c);

/// The same on the host, in double: c[i * n + j] = Σ a[i * k + l]·b[l * n + j].
using OnHost = void(std::span<const float> a, std::span<const float> b, Shape shape, std::span<double> c);

OnHost cpu, cpu_threads, cpu_ijl;  // 1_cpu.cpp

/// A stage, and how the rows of its matrices lie.
struct Stage : ::Stage<Launch, OnHost> {
    Rows layout = Rows::dense;
    unsigned threads = 0;  ///< if not 0, row_per_block_with() launches it in blocks of this size, for --threads
};

inline const std::vector<Stage>& stages = all_stages<Stage>();

/// 1_cpu with the rows divided among `threads` threads, at least 1.
void cpu_with(unsigned threads, std::span<const float> a, std::span<const float> b, Shape shape, std::span<double> c);

/// 2_row_per_block with another block size, 1 to 1024. It wants rows without gaps between them, as that stage does.
void row_per_block_with(unsigned threads, Matrix<const float> a, Matrix<const float> b, Matrix<float> c);

inline constexpr unsigned usual_threads = 256;

/// One of the tiles among which 14_fitted chooses.
struct FittedTile {
    unsigned rows, columns;
    double speed;    ///< of a multiprocessor that has many such tiles; 1 for the fastest tile
    double start;    ///< how long a multiprocessor waits for its first loads; unit: the time of a tile
    Launch* launch;  ///< for any shape
};

std::span<const FittedTile> fitted_tiles();

/// The tile that 14_fitted chooses for an m × n result.
const FittedTile& fitted_tile_for(std::size_t m, std::size_t n, unsigned multiprocessors);

constexpr std::size_t round_up(std::size_t n, std::size_t multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

/// `blocks` as a grid's size. Throws usage_error if it is more than a grid may have in x.
inline unsigned grid_of(std::size_t blocks) {
    constexpr std::size_t most = 0x7fff'ffff;
    if (blocks > most)
        throw usage_error("the matrices need " + std::to_string(blocks) + " blocks, more than a grid has");
    return static_cast<unsigned>(blocks);
}

/// Returns the shape. Throws usage_error, with the sizes, unless a has as many columns as b has rows and c the rows of
/// a and the columns of b.
template <class A, class B, class C>
Shape shape_of(const Matrix<A>& a, const Matrix<B>& b, const Matrix<C>& c) {
    const auto size = [](const auto& matrix) {
        return std::to_string(matrix.rows) + "x" + std::to_string(matrix.columns);
    };
    if (a.columns != b.rows || c.rows != a.rows || c.columns != b.columns)
        throw usage_error("matrices of " + size(a) + " and " + size(b) + " do not give one of " + size(c));
    return {c.rows, a.columns, c.columns};
}

}  // namespace matrix_multiply
