// The pointer was moved on before it was freed.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = 5;
}

int main() {
    int *x, last = 0;
    cudaMalloc(&x, 64 * sizeof(int));
    fill<<<1, 64>>>(x);
#ifdef BROKEN
    x += 63;
    cudaMemcpy(&last, x, sizeof last, cudaMemcpyDeviceToHost);
#else
    cudaMemcpy(&last, x + 63, sizeof last, cudaMemcpyDeviceToHost);
#endif
    cudaFree(x);  // expect: invalid-free
    return differs(last, 5);
}
