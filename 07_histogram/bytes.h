#pragma once

// How the stages from 4 on read their bytes: 16 at a time.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace histogram {

/// n bytes at any address: whole vectors of 16 bytes from the first multiple of 16 on, and fewer than 16 bytes on
/// either side of them.
struct Bytes {
    Bytes(const std::uint8_t* data, std::size_t n)
        : heads(static_cast<unsigned>(std::min<std::size_t>(n, -reinterpret_cast<std::uintptr_t>(data) % 16))),
          tails((n - heads) % 16),
          vectors((n - heads) / 16),
          head(data),
          tail(data + (n - tails)),
          vector(reinterpret_cast<const uint4*>(data + heads)) {}

    unsigned heads, tails;  // how many bytes before and behind the vectors
    std::size_t vectors;    // how many vectors
    const std::uint8_t *head, *tail;
    const uint4* vector;
};

/// Calls count(value) for each of the 16 bytes.
template <class F>
__device__ void count_vector(uint4 vector, F count) {
    for (const unsigned word : {vector.x, vector.y, vector.z, vector.w}) {
        count(word & 0xff);
        count(word >> 8 & 0xff);
        count(word >> 16 & 0xff);
        count(word >> 24);
    }
}

/// Calls count(value) for each byte of the calling thread's share. A grid-stride loop over the vectors, which loads two
/// of them before it counts the first.
template <class F>
__device__ void for_each_byte(const Bytes& bytes, F count) {
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;

    std::size_t i = thread;
    for (; i + threads < bytes.vectors; i += 2 * threads) {
        const uint4 a = bytes.vector[i], b = bytes.vector[i + threads];
        count_vector(a, count);
        count_vector(b, count);
    }
    if (i < bytes.vectors) count_vector(bytes.vector[i], count);

    if (thread < bytes.heads) count(bytes.head[thread]);
    if (thread < bytes.tails) count(bytes.tail[thread]);
}

}  // namespace histogram
