// A buffer with rows apart is copied whole, back and forth; only what was written is ever looked at.
#include "../arrays.h"

__global__ void fill(int* x, int pitch, int width) {
    const int column = threadIdx.x, row = blockIdx.x;
    if (column < width) x[row * pitch + column] = row + column;
}

__global__ void twice(int* x, int pitch, int width) {
    const int column = threadIdx.x, row = blockIdx.x;
    if (column < width) x[row * pitch + column] *= 2;
}

int main() {
    const int width = 20, pitch = 32, height = 6;
    int *x, *y, host[pitch * height] = {};
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    fill<<<height, 32>>>(x, pitch, width);
    cudaMemcpy(y, x, sizeof host, cudaMemcpyDeviceToDevice);
    twice<<<height, 32>>>(y, pitch, width);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    return differs(host[5 * pitch + 19], 48);
}
