// The kernel is to put its result into a variable of main().
#include "../arrays.h"

__global__ void sum(int n, int* result) {
    *result = n * (n + 1) / 2;  // expect: device-touches-host
}

int main() {
    int *result, host = 0;
    cudaMalloc(&result, sizeof host);
#ifdef BROKEN
    sum<<<1, 1>>>(100, &host);
    cudaDeviceSynchronize();
#else
    sum<<<1, 1>>>(100, result);
    cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
#endif
    cudaFree(result);
    return differs(host, 5050);
}
