// The copy has the size of doubles, the allocation that of floats.
#include "../arrays.h"

__global__ void twice(float* x) {
    x[threadIdx.x] *= 2;  // may: uninitialised
}

int main() {
    const int n = 100;
    float host[2 * n];
    for (int i = 0; i < 2 * n; ++i) host[i] = i;
    Array<float> x(n);
#ifdef BROKEN
    cudaMemcpy(x, host, n * sizeof(double), cudaMemcpyHostToDevice);  // expect: invalid-copy
#else
    cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);
#endif
    twice<<<1, n>>>(x);
    return differs(x[n - 1], 198);
}
