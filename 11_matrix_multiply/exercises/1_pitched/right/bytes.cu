// Addresses in bytes, and a loop over the rows: fewer blocks.

#include <cstddef>

#include "common/check.h"

template <class T>
__device__ T* element(T* base, std::size_t pitch, int i, int j) {
    using Byte = std::conditional_t<std::is_const_v<T>, const char, char>;
    return reinterpret_cast<T*>(reinterpret_cast<Byte*>(base) + i * pitch) + j;
}

__global__ void scale_kernel(const float* a, std::size_t a_pitch, const float* factors, float* c, std::size_t c_pitch,
                             int rows, int columns) {
    for (int i = blockIdx.x; i < rows; i += gridDim.x)
        for (int j = threadIdx.x; j < columns; j += blockDim.x)
            *element(c, c_pitch, i, j) = *element(a, a_pitch, i, j) * factors[i];
}

void scale_rows(const float* a, std::size_t a_pitch, const float* factors, float* c, std::size_t c_pitch, int rows,
                int columns) {
    scale_kernel<<<min(rows, 32), 96>>>(a, a_pitch, factors, c, c_pitch, rows, columns);
    CUDA_CHECK_LAUNCH();
}
