#pragma once

// The grid of the simple kernels: a thread for each pair or find.

#include <cstddef>

namespace hash_table {

inline constexpr unsigned block_size = 256;

/// n is at most 2^31 · 256, as tables of 2^30 pairs and finds that fit into memory are.
inline unsigned blocks_for(std::size_t n) {
    return static_cast<unsigned>((n + block_size - 1) / block_size);
}

}  // namespace hash_table
