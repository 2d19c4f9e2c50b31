#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>

#include "common/stage.h"

// Softmax: a row of numbers becomes weights that are positive and add up to 1.
namespace softmax {

/// rows · columns numbers, row by row: both at least 1, rows below 2^28.
struct Shape {
    int rows, columns;
};

inline std::size_t elements(const Shape& shape) {
    return std::size_t(shape.rows) * shape.columns;
}

/// out[i][j] = exp(in[i][j]) / Σ exp(in[i][l]), computed so that no exponential overflows. in, out: elements(shape)
/// floats each in device memory, which do not overlap; all are finite. The work is queued on the default stream, not
/// waited for. Throws cuda_error.
using Launch = void(const Shape& shape, const float* in, float* out);

/// The same on the host, in double.
using OnHost = void(const Shape& shape, std::span<const float> in, std::span<double> out);

/// What some numbers of a row come to: the largest of them, and the sum of all exp(x - largest). With no number yet the
/// largest is -infinity, and the sum 0.
struct Part {
    float largest, sum;
};

OnHost cpu, cpu_threads;  // s1_cpu.cpp

using Stage = ::Stage<Launch, OnHost>;
inline const std::vector<Stage>& stages = all_stages<Stage>();

/// A lower bound on the bytes of any stage: each number is read once, and each weight is written once.
inline double bytes_moved(const Shape& shape) {
    return 2.0 * sizeof(float) * elements(shape);
}

}  // namespace softmax
