#pragma once

// The grid of the simple kernels: a thread for each pair or find.

#include <cstddef>

namespace hash_table {

inline constexpr unsigned block_size = 256;

/// n is less than 2^31 · 256: a table has at most 2^30 pairs, and as many finds would not fit into memory.
inline unsigned blocks_for(std::size_t n) {
    return static_cast<unsigned>((n + block_size - 1) / block_size);
}

}  // namespace hash_table
