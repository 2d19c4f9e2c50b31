#pragma once

#include <cstddef>
#include <span>

#include "common/stage.h"

// c[i] = a[i] + b[i].
namespace sparse {

/// a, b, c: n floats each in device memory; c does not overlap a or b. n may be 0, and the pointers need only a float's
/// alignment. The work is queued, not waited for. Throws cuda_error, and usage_error for an n that the stage cannot
/// handle.
using Launch = void(const float* a, const float* b, float* c, std::size_t n);

/// Adds a and b on the host. All three spans have the same length.
using OnHost = void(std::span<const float> a, std::span<const float> b, std::span<float> c);

OnHost cpu, cpu_threads;  // 1_cpu.cpp

using Stage = ::Stage<Launch, OnHost>;
inline const std::vector<Stage>& stages = all_stages<Stage>();

/// A lower bound on the bytes of any vector addition: two floats read and one written for each element.
constexpr double bytes_moved(std::size_t n) {
    return 3.0 * sizeof(float) * n;
}

/// cpu_threads() with this number of threads, at least 1, instead of all that the host has.
void cpu_threads(std::span<const float> a, std::span<const float> b, std::span<float> c,
                 unsigned threads);  // 1_cpu.cpp

}  // namespace sparse
