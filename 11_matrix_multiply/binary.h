#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/device_buffer.h"
#include "common/program.h"
#include "common/stage.h"
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

constexpr std::size_t round_up(std::size_t n, std::size_t multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

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

/// Room for two packed matrices. Every member throws cuda_error.
class PackedMatrices {
  public:
    explicit PackedMatrices(Shape shape);

    /// Takes the signs of a and b, in device memory: a number's bit is 1 unless it is less than 0. The work is queued,
    /// not waited for. Throws usage_error for matrices of another shape.
    void pack(Matrix<const float> a, Matrix<const float> b);

    Packed view() const;

    /// Every byte becomes 0xff.
    void poison();

  private:
    Shape shape_;
    DeviceMatrix<Word> a_, b_;
    DeviceBuffer<int> ones_in_a_, ones_in_b_;
};  // pack.cu

/// Fills `packed` with the signs of a and b, in device memory. See PackedMatrices::pack().
using PackLaunch = void(Matrix<const float> a, Matrix<const float> b, PackedMatrices& packed);

PackLaunch pack;  // pack.cu

using PackStage = ::Stage<PackLaunch, void()>;

inline constexpr PackStage pack_stages[] = {
    {"pack", "floats to bits: 32 lanes vote on a word of a, a lane makes one of b", pack},
};

/// Bytes that packing must move: it reads floats and writes their bits.
constexpr double bytes_of_packing(Shape shape) {
    return (sizeof(float) + 1.0 / 8) * static_cast<double>(shape.k) * static_cast<double>(shape.m + shape.n);
}

/// Bytes that any binary product must move: it reads bits and writes ints.
constexpr double bytes_of_binary(Shape shape) {
    return static_cast<double>(shape.k) * static_cast<double>(shape.m + shape.n) / 8 +
           sizeof(int) * static_cast<double>(shape.m) * static_cast<double>(shape.n);
}

/// c = a · b. c is in device memory and may have any stride. If k is 0, all of c becomes 0; m or n may be 0 too. The
/// work is queued, not waited for. Throws cuda_error, and usage_error for a c of another shape, an m, k or n of 2^31 or
/// more, and more blocks than a grid has.
using BinaryLaunch = void(const Packed& packed, Matrix<int> c);

/// The same on the host, from the signs of a and b: c[i * n + j], exactly.
using BinaryOnHost = void(std::span<const float> a, std::span<const float> b, Shape shape, std::span<int> c);

BinaryOnHost binary_cpu, binary_cpu_threads;     // b1_cpu.cpp
BinaryLaunch table_popcount, constant_popcount;  // b2_table_popcount.cu
BinaryLaunch binary_row_in_shared;               // b3_row_in_shared.cu
BinaryLaunch binary_tiled, binary_tiled_padded;  // b4_tiled.cu
BinaryLaunch binary_conflict_free;               // b5_tiled_conflict_free.cu
BinaryLaunch popc;                               // b6_popc.cu
BinaryLaunch carry_save;                         // b7_carry_save.cu
BinaryLaunch tensor_cores;                       // b8_tensor_cores.cu

/// b1_cpu with the rows and columns divided among `threads` threads, at least 1.
void binary_cpu_with(unsigned threads, std::span<const float> a, std::span<const float> b, Shape shape,
                     std::span<int> c);

using BinaryStage = ::Stage<BinaryLaunch, BinaryOnHost>;

inline constexpr BinaryStage binary_stages[] = {
    {"b1_cpu", "one thread on the host, 64 signs to a word", binary_cpu},
    {"b1_cpu/threads", "all threads of the host, each with rows of its own", binary_cpu_threads},
    {"b2_table_popcount", "exclusive or, and a table that counts the ones of a byte", table_popcount},
    {"b2_table_popcount/constant", "the same with the table in constant memory", constant_popcount},
    {"b3_row_in_shared", "a block keeps its row of a in shared memory", binary_row_in_shared},
    {"b4_tiled", "tiles of 16 x 16 words in shared memory, and the table too", binary_tiled},
    {"b4_tiled/padded", "the same with a 17th column that nobody uses", binary_tiled_padded},
    {"b5_tiled_conflict_free", "x and y swapped: a warp goes along the rows", binary_conflict_free},
    {"b6_popc", "the hardware counts, and each thread has 8 x 4 elements in registers", popc},
    {"b7_carry_save", "three instructions add two words before they are counted", carry_save},
    {"b8_tensor_cores", "one instruction for 32,768 products of bits", tensor_cores, tensor_cores_for_bits},
};

/// Throws usage_error unless c has the shape of the product, and its elements and sizes fit into ints.
void require_fits(const Packed& packed, const Matrix<int>& c);  // pack.cu

}  // namespace matrix_multiply
