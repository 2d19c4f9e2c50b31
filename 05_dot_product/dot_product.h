#pragma once

#include <cstddef>
#include <span>

#include "common/stage.h"

// Σ a[i]·b[i].
namespace dot_product {

/// The memory that all blocks of a launch share, on the device.
struct Workspace {
    static constexpr unsigned max_blocks = 16384;

    unsigned arrived;              ///< blocks that have added or stored their sums; 0 between launches
    float sum;                     ///< of those blocks; 0 between launches
    float block_sums[max_blocks];  ///< a place for each block; anything between launches
};

/// Computes *result = Σ a[i]·b[i]. The work is queued on the default stream, and only 2_shared_tree waits for it.
/// Throws cuda_error.
/// - a, b: n floats each in device memory, with a float's alignment. n may be 0; then the result is 0.
/// - result: one float in device memory, outside of a and b.
/// - workspace: left by each launch as it was found. Launches that may run at the same time, in two streams, need one
///   each: in a shared one they would count each other's blocks and add each other's sums.
/// - A NaN among the products, or infinities of both signs, give NaN; infinities of one sign give an infinity, and so
///   do sums on the way that are too large for a float.
using Launch = void(const float* a, const float* b, std::size_t n, float* result, Workspace* workspace);

/// Computes and returns the sum on the host.
using OnHost = double(std::span<const float> a, std::span<const float> b);

OnHost cpu, cpu_threads;  // 1_cpu.cpp

/// cpu_threads() with this number of threads, at least 1, instead of all that the host has.
double cpu_threads(std::span<const float> a, std::span<const float> b, unsigned threads);  // 1_cpu.cpp

/// The most roundings that a product passes through on its way into the result, its own included.
using Roundings = std::size_t(std::size_t n);
Roundings shared_tree_roundings;  // 2_shared_tree.cu

/// A stage, and what its method guarantees.
struct Stage : ::Stage<Launch, OnHost> {
    Roundings* roundings;
    bool atomic = false;  ///< adds the blocks' sums with atomicAdd()
};

inline const std::vector<Stage>& stages = all_stages<Stage>();

/// A lower bound on the bytes of any dot product: two floats read for each product.
constexpr double bytes_moved(std::size_t n) {
    return 2.0 * sizeof(float) * n;
}

}  // namespace dot_product
