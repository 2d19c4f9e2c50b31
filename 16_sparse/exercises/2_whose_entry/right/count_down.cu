#include "common/check.h"

__global__ void multiply_entries(const int* row_starts, const int* columns, const float* values, const float* x,
                                 float* y, int rows) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= row_starts[rows]) return;
    int first = 0, count = rows;  // as std::upper_bound looks for the first start behind e
    while (count > 0) {
        const int half = count / 2;
        if (row_starts[first + half + 1] <= e) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    atomicAdd(&y[first], values[e] * x[columns[e]]);
}

void multiply(const int* row_starts, const int* columns, const float* values, const float* x, float* y, int rows) {
    if (rows == 0) return;
    int entries = 0;
    CUDA_CHECK(cudaMemcpy(&entries, row_starts + rows, sizeof entries, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemset(y, 0, rows * sizeof(float)));
    if (entries == 0) return;
    multiply_entries<<<(entries + 127) / 128, 128>>>(row_starts, columns, values, x, y, rows);
    CUDA_CHECK_LAUNCH();
}
