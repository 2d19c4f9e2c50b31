// A grid and blocks of three dimensions; every element has its thread.
#include "../arrays.h"

__global__ void average(const float* x, float* y, int3 n) {
    __shared__ float cache[4][4][4];
    const int i = blockIdx.x * 4 + threadIdx.x, j = blockIdx.y * 4 + threadIdx.y, k = blockIdx.z * 4 + threadIdx.z;
    const bool inside = i < n.x && j < n.y && k < n.z;
    const int at = (k * n.y + j) * n.x + i;
    cache[threadIdx.z][threadIdx.y][threadIdx.x] = inside ? x[at] : 0;
    __syncthreads();
    if (inside) y[at] = cache[threadIdx.z ^ 1][threadIdx.y ^ 1][threadIdx.x ^ 1];
}

int main() {
    const int3 n = make_int3(5, 6, 7);
    Array<float> x(210, [](int i) { return static_cast<float>(i); });
    Array<float> y(210);
    average<<<dim3(2, 2, 2), dim3(4, 4, 4)>>>(x, y, n);
    return differs(y[0], 36) || differs(y[4], 0);
}
