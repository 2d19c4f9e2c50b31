#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "matrix.h"

namespace matrix_multiply {

/// Stores elements (i, j) and (i, j + 1) of c, those that exist, in one piece where that is possible.
__device__ inline void store_two(const Matrix<float>& c, std::size_t i, std::size_t j, float first, float second) {
    float* to = c.row(i) + j;
    if (j + 2 <= c.columns && reinterpret_cast<std::uintptr_t>(to) % alignof(float2) == 0) {
        __stcs(reinterpret_cast<float2*>(to), make_float2(first, second));  // no kernel reads it
    } else {
        if (j < c.columns) to[0] = first;
        if (j + 1 < c.columns) to[1] = second;
    }
}

}  // namespace matrix_multiply
