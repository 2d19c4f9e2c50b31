// Device memory is given to cudaFreeHost().
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = 5;
}

int main() {
    int *x, last = 0;
    cudaMalloc(&x, 64 * sizeof(int));
    fill<<<1, 64>>>(x);
    cudaMemcpy(&last, x + 63, sizeof last, cudaMemcpyDeviceToHost);
#ifdef BROKEN
    cudaFreeHost(x);  // expect: invalid-free
#else
    cudaFree(x);
#endif
    return differs(last, 5);
}
