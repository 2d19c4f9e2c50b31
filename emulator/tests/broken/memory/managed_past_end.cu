// Managed memory has an end, too.
#include "../arrays.h"

__global__ void square(int* x, int n) {
    const int i = threadIdx.x;
#ifdef BROKEN
    if (i <= n) x[i] = i * i;  // expect: out-of-bounds
#else
    if (i < n) x[i] = i * i;
#endif
}

int main() {
    const int n = 40;
    int* x;
    cudaMallocManaged(&x, n * sizeof(int));
    square<<<1, 64>>>(x, n);
    cudaDeviceSynchronize();
    const int last = x[n - 1];
    cudaFree(x);
    return differs(last, 1521);
}
