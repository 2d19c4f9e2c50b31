// Each row of a times a factor of its own. The rows of both matrices are pitched: behind each is a gap.

#include <cstddef>

#include "common/check.h"

__global__ void scale_kernel(const float* a, std::size_t a_pitch, const float* factors, float* c, std::size_t c_pitch,
                             int rows, int columns) {
    const int i = blockIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    // BEGIN SOLUTION
    const float* a_row = a + i * (a_pitch / sizeof(float));
    float* c_row = c + i * (c_pitch / sizeof(float));
    if (j < columns) c_row[j] = factors[i] * a_row[j];
    // STUB
    // if (j < columns) c[i * columns + j] = factors[i] * a[i * columns + j];
    // END SOLUTION
}

/// c(i, j) = factors[i] * a(i, j). a, c: `rows` rows of `columns` floats in device memory, 1 to 60,000 rows and 1
/// column or more; a row begins a_pitch or c_pitch bytes behind the one before. factors: as many floats as there are
/// rows.
void scale_rows(const float* a, std::size_t a_pitch, const float* factors, float* c, std::size_t c_pitch, int rows,
                int columns) {
    const dim3 blocks((columns + 127) / 128, rows);
    scale_kernel<<<blocks, 128>>>(a, a_pitch, factors, c, c_pitch, rows, columns);
    CUDA_CHECK_LAUNCH();
}
