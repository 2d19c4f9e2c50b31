#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

namespace matrix_multiply {

enum class Rows {
    dense,    ///< each begins where the one before ends
    pitched,  ///< each begins where cudaMallocPitch() puts it: at a multiple of 512 bytes on today's devices
};

/// A view of a row-major matrix in device memory: element (i, j) is data[i * stride + j]. stride: elements from a row's
/// start to the next one's, at least `columns`. data has rows * stride elements; those behind the columns are never
/// written and may be anything.
template <class T>
struct Matrix {
    T* data;
    std::size_t rows, columns, stride;

    __host__ __device__ T* row(std::size_t i) const { return data + i * stride; }

    template <class Const, class = std::enable_if_t<std::is_same_v<Const, const T>>>
    operator Matrix<Const>() const {
        return {data, rows, columns, stride};
    }
};

}  // namespace matrix_multiply
