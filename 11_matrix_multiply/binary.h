#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/stage.h"
#include "matrix.h"
#include "matrix_multiply.h"

// c = a · b for matrices of +1 and -1, 32 of them in a word.
namespace matrix_multiply {

/// How many words hold k signs.
constexpr std::size_t words_for(std::size_t k) {
    return (k + 31) / 32;
}

/// c = a · b, all in device memory and apart from each other. a: m rows of words_for(k) words; bit s of word w in row i
/// is 1 where element (i, 32 w + s) is +1, and 0 where it is -1. b: words_for(k) rows of n words; bit s of word (w, j)
/// stands for element (32 w + s, j). Bits for elements from k on are 0 in both. c: m × n whole numbers from -k to k.
/// The work is queued, not waited for. Throws cuda_error, and usage_error for matrices that do not fit each other.
using BinaryLaunch = void(Matrix<const std::uint32_t> a, Matrix<const std::uint32_t> b, std::size_t k, Matrix<int> c);

/// The reference, on the host, from the signs of a and b: c[i * n + j], exactly.
void binary_cpu(std::span<const float> a, std::span<const float> b, Shape shape, std::span<int> c);  // b1_cpu.cpp

BinaryLaunch table_popcount;

inline constexpr Stage<BinaryLaunch> binary_stages[] = {
    {"b2_table_popcount", "XNOR, and a table that counts the bits of a byte", table_popcount},
};

}  // namespace matrix_multiply
