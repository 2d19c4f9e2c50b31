#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "matrix.h"
#include "matrix_multiply.h"

// c = a · b for matrices of +1 and -1, packed 32 to a word. The product of two signs is +1 if their bits are equal, so
// c[i][j] = k - 2 · (how many of k bits differ), and one exclusive or finds the bits that differ in 32 products.
namespace matrix_multiply {

using Word = std::uint32_t;
inline constexpr unsigned word_bits = 32;

/// Packed matrices are padded, so that stages may read whole tiles: along k to a multiple of word_padding words, and to
/// a multiple of tile_padding rows of a and columns of b.
inline constexpr unsigned word_padding = 32, tile_padding = 128;

/// The words that hold k bits; packed matrices have round_up(words_for(k), word_padding).
constexpr std::size_t words_for(std::size_t k) {
    return (k + word_bits - 1) / word_bits;
}

/// Two matrices of signs in device memory. A set bit is +1. The bits that pad them are 0 in both, so they never differ.
struct Packed {
    /// Bit s of word (i, w) is the sign of a[i][32 w + s].
    Matrix<const Word> a;
    /// Bit s of word (w, j) is the sign of b[32 w + s][j].
    Matrix<const Word> b;
    /// How many bits are set in each row of a and each column of b, for b8_tensor_cores.
    const int *ones_in_a, *ones_in_b;
    /// The shape without the padding.
    Shape shape;
    std::size_t words;  ///< in a row of a or a column of b, to hold its k bits
};

/// c = a · b. c is in device memory and may have any stride. If k is 0, all of c becomes 0; m or n may be 0 too. The
/// work is queued, not waited for. Throws cuda_error, and usage_error for a c of another shape, an m, k or n of 2^31 or
/// more, and more blocks than a grid has.
using BinaryLaunch = void(const Packed& packed, Matrix<int> c);

/// The same on the host, from the signs of a and b: c[i * n + j], exactly.
using BinaryOnHost = void(std::span<const float> a, std::span<const float> b, Shape shape, std::span<int> c);

BinaryOnHost binary_cpu, binary_cpu_threads;  // b1_cpu.cpp

using BinaryStage = ::Stage<BinaryLaunch, BinaryOnHost>;
inline const std::vector<BinaryStage>& binary_stages = all_stages<BinaryStage>();

/// Bytes that any binary product must move: it reads bits and writes ints.
constexpr double bytes_of_binary(Shape shape) {
    return static_cast<double>(shape.k) * static_cast<double>(shape.m + shape.n) / 8 +
           sizeof(int) * static_cast<double>(shape.m) * static_cast<double>(shape.n);
}

/// b1_cpu with the rows and columns divided among `threads` threads, at least 1.
void binary_cpu_with(unsigned threads, std::span<const float> a, std::span<const float> b, Shape shape,
                     std::span<int> c);

/// Throws usage_error unless c has the shape of the product, and its elements and sizes fit into ints.
void require_fits(const Packed& packed, const Matrix<int>& c);  // pack.cu

}  // namespace matrix_multiply
