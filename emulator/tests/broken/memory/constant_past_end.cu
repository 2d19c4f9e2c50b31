// A filter of five coefficients is walked through from -3 to 3.
#include "../arrays.h"

__constant__ float coefficient[5];

__global__ void filter(const float* x, float* y, int radius) {
    const int i = threadIdx.x + 3;
    float sum = 0;
    for (int j = 0; j <= 2 * radius; ++j) sum += coefficient[j] * x[i + j - radius];  // expect: out-of-bounds
    y[threadIdx.x] = sum;
}

int main() {
    const int n = 32;
    Array<float> x(n + 6, [](int i) { return i; });
    Array<float> y(n);
    const float weights[5] = {1, 2, 3, 2, 1};
    cudaMemcpyToSymbol(coefficient, weights, sizeof weights);
#ifdef BROKEN
    filter<<<1, n>>>(x, y, 3);
#else
    filter<<<1, n>>>(x, y, 2);
#endif
    return differs(y[0], 27);
}
