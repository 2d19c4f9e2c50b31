// The tile is read by columns before all of its rows are there.
#include <cstdio>

__global__ void transpose(const float* x, float* y) {
    __shared__ float tile[16][17];
    const int row = threadIdx.y, column = threadIdx.x;
    tile[row][column] = x[16 * row + column];  // expect: race
#ifndef BROKEN
    __syncthreads();
#endif
    y[16 * row + column] = tile[column][row];  // expect: race, other
}

int main() {
    float *x, *y, host[256];
    for (int i = 0; i < 256; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    transpose<<<1, dim3(16, 16)>>>(x, y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%g\n", host[1]);
    return host[1] == 16 ? 0 : 1;
}
