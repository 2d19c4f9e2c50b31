// One thread adds two numbers, and 5 x 5 threads add 1 to a matrix, x down a column; nothing is checked, not all is
// freed.
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void sum_of(int a, int b, int* sum) {
    *sum = a + b;
}

__global__ void add_one(float* matrix) {
    int x = threadIdx.x;
    int y = threadIdx.y;
    matrix[x * blockDim.y + y] += 1;
}

int main() {
    int sums[10];
    int* dev_sum;
    cudaMalloc((void**)&dev_sum, sizeof(int));
    sum_of<<<1, 1>>>(2, 7, dev_sum);
    cudaMemcpy(sums, dev_sum, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", sums[0]);
    cudaFree(dev_sum);

    const int side = 5;
    const size_t bytes = side * side * sizeof(float);
    float* matrix = (float*)malloc(bytes);
    for (int i = 0; i < side * side; ++i) matrix[i] = 1;
    float* dev_matrix;
    cudaMalloc((void**)&dev_matrix, bytes);
    cudaMemcpy(dev_matrix, matrix, bytes, cudaMemcpyHostToDevice);
    dim3 grid(1, 1, 1), block(side, side, 1);
    add_one<<<grid, block>>>(dev_matrix);
    cudaMemcpy(matrix, dev_matrix, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < side * side; ++i) printf("%g%c", matrix[i], i % side == side - 1 ? '\n' : ' ');
    free(matrix);
    return 0;
}
