#pragma once

// How many blocks the stages start.

#include <algorithm>
#include <string>

#include "common/check.h"
#include "common/device.h"
#include "common/errors.h"

namespace histogram {

/// How many blocks to launch: as many as the device holds at once, but no more than `threads` threads need, and at
/// least one.
template <class Kernel>
unsigned resident_blocks(Kernel* kernel, unsigned block_size, std::size_t threads) {
    int per_multiprocessor = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, block_size, 0));
    const std::size_t needed = (threads + block_size - 1) / block_size;
    const std::size_t most = std::size_t{multiprocessors()} * per_multiprocessor;
    return static_cast<unsigned>(std::max<std::size_t>(1, std::min(needed, most)));
}

/// Throws usage_error if a block's share of n bytes might overflow its counters in shared memory, which have 32 bits.
inline void require_small_shares(const char* stage, std::size_t n, unsigned blocks) {
    constexpr std::size_t largest_share = std::size_t{1} << 31;  // half of what fits: shares are not quite equal
    if (n / blocks >= largest_share)
        throw usage_error(std::string(stage) + ": " + std::to_string(blocks) +
                          " blocks with counters of 32 bits take fewer than " + std::to_string(blocks * largest_share) +
                          " bytes");
}

}  // namespace histogram
