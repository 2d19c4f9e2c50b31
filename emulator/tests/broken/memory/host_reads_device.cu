// The host looks at the result where the kernel has put it.
#include "../arrays.h"

__global__ void answer(int* x) {
    *x = 42;
}

int main() {
    int *x, host = 0;
    cudaMalloc(&x, sizeof(int));
    answer<<<1, 1>>>(x);
    cudaDeviceSynchronize();
#ifdef BROKEN
    host = *x;  // expect: host-touches-device
#else
    cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);
#endif
    cudaFree(x);
    return differs(host, 42);
}
