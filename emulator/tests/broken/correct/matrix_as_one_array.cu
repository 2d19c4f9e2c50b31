// Matrices in shared memory are filled and read as one array, from their first row on.
#include "../arrays.h"

__global__ void copy(const int* x, int* y) {
    __shared__ int rows[8][32], planes[2][4][32];
    const int t = static_cast<int>(threadIdx.x);
    for (int i = t; i < 256; i += 64) rows[0][i] = x[i];
    __syncthreads();
    for (int i = t; i < 8; i += 64) planes[0][i][5] = rows[i][7];
    __syncthreads();
    for (int i = t; i < 256; i += 64) y[i] = rows[0][255 - i] + (i < 8 ? planes[i / 4][i % 4][5] : 0);
}

int main() {
    Array<int> x(256, [](int i) { return 3 * i; });
    Array<int> y(256);
    copy<<<1, 64>>>(x, y);
    return differs(y[1], 3 * 254 + 3 * (32 + 7));
}
