// Matrix multiplication with tiles: the barrier behind the inner loop is missing.
#include "../arrays.h"

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
    Array<int> a(n * n, [](int i) { return i % 5; });
    Array<int> b(n * n, [](int i) { return i % 5; });
    Array<int> c(n * n);
    multiply<<<dim3(2, 2), dim3(tile, tile)>>>(a, b, c);
    return differs(c[n * n - 1], 90);
}
