#pragma once

#include <algorithm>
#include <cstddef>

#include "common/device.h"
#include "common/stage.h"

// Many small sums: sums[k] = values[256 k] + … + values[256 k + 255]. With so few values for each sum, the tree of a
// block is nearly all that it does.
namespace trees {

inline constexpr unsigned values_a_sum = 256;

/// How many sums n values have; the last one may be of fewer than 256.
constexpr std::size_t sums_of(std::size_t n) {
    return (n + values_a_sum - 1) / values_a_sum;
}

/// Computes all sums. The work is queued on the default stream. Throws cuda_error.
/// - values: n floats in device memory. n may be 0; then there are no sums.
/// - sums: sums_of(n) floats in device memory, outside of values.
using Launch = void(const float* values, std::size_t n, float* sums);

using Stage = ::Stage<Launch, void()>;
inline const std::vector<Stage>& stages = all_stages<Stage>();

/// A lower bound on the bytes: each value is read and each sum is written once.
constexpr double bytes_moved(std::size_t n) {
    return sizeof(float) * (static_cast<double>(n) + static_cast<double>(sums_of(n)));
}

/// A grid of blocks of 256 threads for this many blocks' work: as many as the device holds at once, at most.
inline unsigned blocks_for(std::size_t work) {
    constexpr unsigned blocks_per_multiprocessor = 8;
    return static_cast<unsigned>(std::min<std::size_t>(work, multiprocessors() * blocks_per_multiprocessor));
}

}  // namespace trees
