#pragma once

// How many bits are set in a byte, from a table, as it was done before processors could count.

#include "binary.h"

namespace matrix_multiply {

struct OnesInByte {
    unsigned char of[256];
};

constexpr OnesInByte make_ones_in_byte() {
    OnesInByte ones{};
    for (unsigned byte = 1; byte < 256; ++byte)
        ones.of[byte] = static_cast<unsigned char>(ones.of[byte / 2] + byte % 2);
    return ones;
}

/// How many bits are set in a word. ones: the table, in device memory or shared memory.
__device__ inline unsigned count_ones(const unsigned char* ones, Word word) {
    return ones[word & 0xff] + ones[word >> 8 & 0xff] + ones[word >> 16 & 0xff] + ones[word >> 24];
}

}  // namespace matrix_multiply
