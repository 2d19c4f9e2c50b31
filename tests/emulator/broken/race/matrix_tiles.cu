// Matrix multiplication with tiles: the barrier behind the inner loop is missing.
#include <cstdio>

constexpr int tile = 8, n = 16;

__global__ void multiply(const int* a, const int* b, int* c) {
    __shared__ int as[tile][tile], bs[tile][tile];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
    int sum = 0;
    for (int k = 0; k < n; k += tile) {
        as[y][x] = a[row * n + k + x];       // expect: race
        bs[y][x] = b[(k + y) * n + column];  // expect: race
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum += as[y][i] * bs[i][x];  // expect: race, other
#ifndef BROKEN
        __syncthreads();
#endif
    }
    c[row * n + column] = sum;
}

int main() {
    int *a, *b, *c, host[n * n];
    for (int i = 0; i < n * n; ++i) host[i] = i % 5;
    for (int** matrix : {&a, &b, &c}) cudaMalloc(matrix, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice);
    multiply<<<dim3(2, 2), dim3(tile, tile)>>>(a, b, c);
    cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
    for (int* matrix : {a, b, c}) cudaFree(matrix);
    std::printf("%d\n", host[n * n - 1]);
    return host[n * n - 1] == 90 ? 0 : 1;
}
