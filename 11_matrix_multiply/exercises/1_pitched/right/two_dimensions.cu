// Blocks of 32 x 8 threads, and pitches that the host turns into numbers of floats.

#include "common/check.h"

__global__ void scale_kernel(const float* a, int a_stride, const float* factors, float* c, int c_stride, int rows,
                             int columns) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= columns) return;
    c[i * c_stride + j] = factors[i] * a[i * a_stride + j];
}

void scale_rows(const float* a, std::size_t a_pitch, const float* factors, float* c, std::size_t c_pitch, int rows,
                int columns) {
    const dim3 block(32, 8);
    const dim3 grid((columns + 31) / 32, (rows + 7) / 8);
    scale_kernel<<<grid, block>>>(a, a_pitch / 4, factors, c, c_pitch / 4, rows, columns);
    CUDA_CHECK_LAUNCH();
}
