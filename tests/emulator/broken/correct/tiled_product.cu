// Shared tiles are filled and read in turns, with a barrier at each turn; the matrix is no multiple of a tile.
#include <cstdio>

constexpr int tile = 8, n = 21;

__global__ void multiply(const float* a, const float* b, float* c) {
    __shared__ float as[tile][tile], bs[tile][tile + 1];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
    float sum = 0;
    for (int k = 0; k < n; k += tile) {
        as[y][x] = row < n && k + x < n ? a[row * n + k + x] : 0;
        bs[y][x] = k + y < n && column < n ? b[(k + y) * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum += as[y][i] * bs[i][x];
        __syncthreads();
    }
    if (row < n && column < n) c[row * n + column] = sum;
}

int main() {
    float *a, *b, *c, host[n * n];
    for (int i = 0; i < n * n; ++i) host[i] = i % 5;
    for (float** matrix : {&a, &b, &c}) cudaMalloc(matrix, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice);
    multiply<<<dim3(3, 3), dim3(tile, tile)>>>(a, b, c);
    float expected = 0, last = 0;
    for (int k = 0; k < n; ++k) expected += host[(n - 1) * n + k] * host[k * n + n - 1];
    cudaMemcpy(&last, c + n * n - 1, sizeof last, cudaMemcpyDeviceToHost);
    std::printf("%g\n", last);
    return last == expected ? 0 : 1;
}
