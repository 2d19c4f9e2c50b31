// Shared tiles are filled and read in turns, with a barrier at each turn; the matrix is no multiple of a tile.
#include "../arrays.h"

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
    const auto value = [](int i) { return i % 5; };
    Array<float> a(n * n, value);
    Array<float> b(n * n, value);
    Array<float> c(n * n);
    multiply<<<dim3(3, 3), dim3(tile, tile)>>>(a, b, c);
    float expected = 0;
    for (int k = 0; k < n; ++k) expected += value((n - 1) * n + k) * value(k * n + n - 1);
    return differs(c[n * n - 1], expected);
}
