#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "matrix.h"

namespace matrix_multiply {

/// Stores elements (i, j) and (i, j + 1) of c, floats or ints, those that exist, in one piece where that is possible.
template <class T>
__device__ inline void store_two(const Matrix<T>& c, std::size_t i, std::size_t j, T first, T second) {
    using Two = std::conditional_t<std::is_same_v<T, float>, float2, int2>;
    T* to = c.row(i) + j;
    if (j + 2 <= c.columns && reinterpret_cast<std::uintptr_t>(to) % alignof(Two) == 0) {
        __stcs(reinterpret_cast<Two*>(to), Two{first, second});  // no kernel reads it
    } else {
        if (j < c.columns) to[0] = first;
        if (j + 1 < c.columns) to[1] = second;
    }
}

}  // namespace matrix_multiply
