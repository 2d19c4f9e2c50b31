// A kernel reads and writes pinned memory of the host, which looks at it when the kernel has ended.
#include "../arrays.h"

__global__ void twice(int* x) {
    x[threadIdx.x] *= 2;
}

int main() {
    int *x, *mapped, registered[32];
    cudaMallocHost(&x, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i) x[i] = registered[i] = i;
    twice<<<1, 32>>>(x);
    cudaHostRegister(registered, sizeof registered, cudaHostRegisterMapped);
    cudaHostGetDevicePointer(&mapped, registered, 0);
    twice<<<1, 32>>>(mapped);
    cudaDeviceSynchronize();
    cudaHostUnregister(registered);
    const int value = x[31] + registered[30];
    cudaFreeHost(x);
    return differs(value, 122);
}
