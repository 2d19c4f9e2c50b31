#pragma once

#include <cstddef>

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

// trees.cu
Launch neighbours, strided, sequential, shuffles, add_first;

using Stage = ::Stage<Launch, void()>;

inline constexpr Stage stages[] = {
    {"trees/neighbours", "each adds its neighbour: lanes diverge", neighbours},
    {"trees/strided", "the same tree, packed lanes: bank conflicts", strided},
    {"trees/sequential", "the upper half to the lower half", sequential},
    {"trees/shuffles", "registers in a warp: 2 barriers, not 10", shuffles},
    {"trees/add_first", "a warp for each sum: eight values a lane first", add_first},
};

/// A lower bound on the bytes: each value is read and each sum is written once.
constexpr double bytes_moved(std::size_t n) {
    return sizeof(float) * (static_cast<double>(n) + static_cast<double>(sums_of(n)));
}

}  // namespace trees
