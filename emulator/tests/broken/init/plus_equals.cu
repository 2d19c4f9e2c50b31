// c += a * b, and nothing was ever stored in c.
#include "../arrays.h"

__global__ void dot(const float* a, const float* b, float* c, int n) {
    for (int k = 0; k < n; ++k) c[threadIdx.x] += a[threadIdx.x * n + k] * b[k];  // expect: uninitialised
}

int main() {
    const int n = 8;
    const auto value = [](int i) { return i % n; };
    Array<float> a(n * n, value);
    Array<float> b(n, value);
    Array<float> c(n);
#ifndef BROKEN
    cudaMemset(c, 0, n * sizeof(float));
#endif
    dot<<<1, n>>>(a, b, c, n);
    return differs(c[n - 1], 140);
}
