#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// Philox4x32-10, a counter-based generator: four random numbers are a function of a counter and a key, and nothing is
// kept from call to call. J. Salmon, M. Moraes, R. Dror and D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3",
// SC 2011; the constants are theirs.
namespace philox {

struct Four {
    std::uint32_t x, y, z, w;
};

struct Key {
    std::uint32_t x, y;
};

/// A round multiplies two of the words, and mixes the halves of the products with the other two words and the key. It
/// can be undone, so different counters stay different.
__host__ __device__ inline Four one_round(Four in, Key key) {
    const std::uint64_t from_x = std::uint64_t{0xD2511F53} * in.x, from_z = std::uint64_t{0xCD9E8D57} * in.z;
    const std::uint32_t high_x = from_x >> 32, high_z = from_z >> 32, low_x = from_x, low_z = from_z;
    return {high_z ^ in.y ^ key.x, low_z, high_x ^ in.w ^ key.y, low_x};
}

/// Four random numbers, each of 32 bits.
__host__ __device__ inline Four random(Four counter, Key key) {
    for (int i = 0; i < 10; ++i) {
        counter = one_round(counter, key);
        key.x += 0x9E3779B9;  // the golden ratio's digits
        key.y += 0xBB67AE85;  // those of √3
    }
    return counter;
}

}  // namespace philox
