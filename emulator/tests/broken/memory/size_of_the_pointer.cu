// sizeof of a pointer is 8, however many elements there are behind it.
#include "../arrays.h"

__global__ void fill(double* x) {
    x[threadIdx.x] = threadIdx.x;  // expect: out-of-bounds
}

int main() {
    const int n = 40;
    double values[n] = {}, *x;
#ifdef BROKEN
    cudaMalloc(&x, sizeof x);
#else
    cudaMalloc(&x, sizeof values);
#endif
    fill<<<1, n>>>(x);
    cudaMemcpy(values, x, sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(x);
    return differs(values[0], 0);
}
