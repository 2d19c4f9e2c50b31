// A kernel writes its result into mapped host memory, and the host reads it right behind the launch.
#include "../arrays.h"

__global__ void sum(const int* x, int* result) {
    int total = 0;
    for (int i = 0; i < 64; ++i) total += x[i];
    *result = total;  // expect: unordered, other
}

int main() {
    Array<int> x(64, 1);
    int *host, *device;
    check(cudaHostAlloc(&host, sizeof(int), cudaHostAllocMapped));
    *host = -1;
    check(cudaHostGetDevicePointer(&device, host, 0));
    sum<<<1, 1>>>(x, device);
#ifndef BROKEN
    check(cudaDeviceSynchronize());
#endif
    const int result = *host;  // expect: unordered
    check(cudaFreeHost(host));
    return differs(result, 64);
}
