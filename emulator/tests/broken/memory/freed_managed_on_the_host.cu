// The host looks at managed memory that it has freed.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;
}

int main() {
    const int n = 64;
    int *x, last;
    cudaMallocManaged(&x, n * sizeof(int));
    fill<<<1, n>>>(x);
    cudaDeviceSynchronize();
#ifdef BROKEN
    cudaFree(x);
    last = x[n - 1];  // expect: use-after-free
#else
    last = x[n - 1];
    cudaFree(x);
#endif
    return differs(last, n - 1);
}
