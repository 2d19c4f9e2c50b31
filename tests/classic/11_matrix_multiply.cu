// A product of 30 x 20 and 20 x 10 with a's pitch for c, which has the same; then without, by indices for square
// matrices.
#include <cuda_runtime.h>
#include <stdio.h>

#define ROWS 30
#define MIDDLE 20
#define COLUMNS 10

__global__ void multiply(float* a, int a_rows, int a_cols, float* b, int b_cols, float* c) {
    for (int j = threadIdx.x; j < b_cols; j += blockDim.x) {
        float sum = 0;
        for (int k = 0; k < a_cols; k++) sum += a[blockIdx.x * a_rows + k] * b[k * b_cols + j];  // may: out-of-bounds
        c[blockIdx.x * a_cols + j] = sum;  // expect: out-of-bounds
    }
}

__global__ void multiply_pitched(float* a, int a_pitch, int a_cols, float* b, int b_pitch, int b_cols, float* c) {
    for (int j = threadIdx.x; j < b_cols; j += blockDim.x) {
        float sum = 0;
        for (int k = 0; k < a_cols; k++) sum += a[blockIdx.x * a_pitch + k] * b[k * b_pitch + j];
        c[blockIdx.x * a_pitch + j] = sum;
    }
}

int main() {
    float a[ROWS * MIDDLE], b[MIDDLE * COLUMNS], c[ROWS * COLUMNS];
    for (int i = 0; i < ROWS * MIDDLE; ++i) a[i] = i % 3 ? 1 : -1;
    for (int i = 0; i < MIDDLE * COLUMNS; ++i) b[i] = i % 2 ? 1 : -1;
    float *dev_a, *dev_b, *dev_c;
    size_t a_pitch, b_pitch, c_pitch, row = sizeof(float);
    cudaMallocPitch((void**)&dev_a, &a_pitch, MIDDLE * row, ROWS);
    cudaMallocPitch((void**)&dev_b, &b_pitch, COLUMNS * row, MIDDLE);
    cudaMallocPitch((void**)&dev_c, &c_pitch, COLUMNS * row, ROWS);
    cudaMemcpy2D(dev_a, a_pitch, a, MIDDLE * row, MIDDLE * row, ROWS, cudaMemcpyHostToDevice);
    cudaMemcpy2D(dev_b, b_pitch, b, COLUMNS * row, COLUMNS * row, MIDDLE, cudaMemcpyHostToDevice);
    multiply_pitched<<<ROWS, 32>>>(dev_a, a_pitch / row, MIDDLE, dev_b, b_pitch / row, COLUMNS, dev_c);
    cudaMemcpy2D(c, COLUMNS * row, dev_c, c_pitch, COLUMNS * row, ROWS, cudaMemcpyDeviceToHost);

    cudaMalloc((void**)&dev_a, sizeof(a));
    cudaMalloc((void**)&dev_b, sizeof(b));
    cudaMalloc((void**)&dev_c, sizeof(c));
    cudaMemcpy(dev_a, a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(dev_b, b, sizeof(b), cudaMemcpyHostToDevice);
    multiply<<<ROWS, 256>>>(dev_a, ROWS, MIDDLE, dev_b, COLUMNS, dev_c);
    cudaMemcpy(c, dev_c, sizeof(c), cudaMemcpyDeviceToHost);
    printf("%g\n", c[ROWS * COLUMNS - 1]);
    return 0;
}
