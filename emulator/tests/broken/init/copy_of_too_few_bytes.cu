// cudaMemcpy() counts bytes, and sizeof was forgotten.
#include "../arrays.h"

__global__ void twice(const double* x, double* y) {
    y[threadIdx.x] = 2 * x[threadIdx.x];  // expect: uninitialised
}

int main() {
    const int n = 64;
    double host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    Array<double> x(n);
    Array<double> y(n);
#ifdef BROKEN
    cudaMemcpy(x, host, n, cudaMemcpyHostToDevice);
#else
    cudaMemcpy(x, host, n * sizeof(double), cudaMemcpyHostToDevice);
#endif
    twice<<<1, n>>>(x, y);
    return differs(y[n - 1], 126);
}
