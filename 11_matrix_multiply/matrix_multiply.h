#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/program.h"
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

/// How far a product in floats may be from the exact one, whatever the order of its additions, with or without fused
/// multiply-adds, and added in one run or in several:
///
///     |c[i][j] - exact| <= γ_k Σ |a[i][l]·b[l][j]|,  γ_k = k·u / (1 - k·u),  u = 2^-24
///
/// - An operation changes its result by a factor of 1 ± u at most. No product passes through more than k operations,
///   its own multiplication included (Higham, "Accuracy and Stability of Numerical Algorithms", chapter 3).
/// - The sum is at most |row i of a|·|column j of b|, both as Euclidean lengths (Cauchy and Schwarz): that bound costs
///   m·k + k·n operations, not m·k·n.
/// - A product below 2^-126 loses at most 2^-150 more.
/// - The bound of the reference, the same with u = 2^-53, is added.
class ErrorBound {
  public:
    /// The largest k that can be verified. Above it γ_k means little, and at 2^24 nothing.
    static constexpr std::size_t longest = std::size_t{1} << 23;

    /// a, b: in host memory, shape.k at most `longest`.
    ErrorBound(std::span<const float> a, std::span<const float> b, Shape shape);

    double operator()(std::size_t i, std::size_t j) const {
        return relative_ * row_lengths_[i] * column_lengths_[j] + underflow_;
    }

  private:
    std::vector<double> row_lengths_, column_lengths_;
    double relative_, underflow_;
};  // error_bound.cpp

OnHost cpu, cpu_threads;  // 1_cpu.cpp
// 2_row_per_block.cu; they want rows without gaps between them.
Launch row_per_block, row_per_block_32, row_per_block_long_indices;
Launch pitched;                              // 3_pitched.cu
Launch row_in_shared;                        // 4_row_in_shared.cu
Launch tiled, tiled_16, tiled_8;             // 5_tiled.cu
Launch register_tile;                        // 6_register_tile.cu
Launch vectorized;                           // 7_vectorized.cu
Launch warp_tile;                            // 8_warp_tile.cu
Launch pipelined;                            // 9_pipelined.cu
Launch three_blocks;                         // 10_three_blocks.cu
Launch long_slices;                          // 11_long_slices.cu
Launch loads_ahead;                          // 12_loads_ahead.cu
Launch lane_pairs;                           // 13_lane_pairs.cu
Launch fitted, fitted_64x128, fitted_64x64;  // 14_fitted.cu
Launch library;                              // library.cu

/// 1_cpu with the rows divided among `threads` threads, at least 1.
void cpu_with(unsigned threads, std::span<const float> a, std::span<const float> b, Shape shape, std::span<double> c);

/// 2_row_per_block with another block size, 1 to 1024.
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

/// A stage, and how the rows of its matrices lie.
struct Stage : ::Stage<Launch, OnHost> {
    Rows layout = Rows::dense;
    unsigned threads = 0;  ///< if not 0, row_per_block_with() launches it in blocks of this size, for --threads
};

inline constexpr Stage stages[] = {
    {{"1_cpu", "one thread on the host, in double", cpu}},
    {{"1_cpu/threads", "all threads of the host, each with rows of its own", cpu_threads}},
    {{"2_row_per_block", "a block for each row of c", row_per_block}},
    {{"2_row_per_block/32", "32 threads a block, not 256", row_per_block_32}},
    {{"2_row_per_block/long_indices", "indices of 64 bits, not of 32", row_per_block_long_indices}},
    {{"3_pitched", "rows that begin at multiples of 512 bytes", pitched}, Rows::pitched},
    {{"4_row_in_shared", "the row of a in shared memory", row_in_shared}, Rows::pitched},
    {{"5_tiled", "tiles of 32 x 32 of both in shared memory", tiled}, Rows::pitched},
    {{"5_tiled/16", "tiles of 16 x 16", tiled_16}, Rows::pitched},
    {{"5_tiled/8", "tiles of 8 x 8", tiled_8}, Rows::pitched},
    {{"6_register_tile", "8 x 8 elements a thread, in registers", register_tile}, Rows::pitched},
    {{"7_vectorized", "16 bytes a load", vectorized}, Rows::pitched},
    {{"8_warp_tile", "a warp's elements in a square rather than a strip", warp_tile}, Rows::pitched},
    {{"9_pipelined", "asynchronous copies: a slice comes while another is used", pipelined}, Rows::pitched},
    {{"10_three_blocks", "half a tile: three blocks share a multiprocessor", three_blocks}, Rows::pitched},
    {{"11_long_slices", "twice as long slices, half as many barriers", long_slices, more_than_48_kib}, Rows::pitched},
    {{"12_loads_ahead", "the next operands are loaded before these are used", loads_ahead, more_than_48_kib},
     Rows::pitched},
    {{"13_lane_pairs", "two lanes share a quad of b: fewer turns of the banks", lane_pairs, more_than_48_kib},
     Rows::pitched},
    {{"14_fitted", "smaller tiles where they fill the device", fitted, more_than_48_kib}, Rows::pitched},
    {{"14_fitted/64x128", "tiles of 64 x 128, whatever the size", fitted_64x128, more_than_48_kib}, Rows::pitched},
    {{"14_fitted/64x64", "tiles of 64 x 64, whatever the size", fitted_64x64}, Rows::pitched},
#ifdef WITH_LIBRARY
    {{"library", "cublasSgemm, fp32 throughout", library}},
#endif
};

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
