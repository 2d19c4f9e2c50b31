// More is allocated in a kernel than the heap of the device holds, 8 MiB if nobody asks for more: malloc() returns a
// null pointer, and nobody looks.
#include "../arrays.h"

__global__ void fill(int* y, size_t n) {
    int* list = static_cast<int*>(malloc(n * sizeof(int)));
    __syncthreads();
    list[n - 1] = threadIdx.x;     // expect: out-of-bounds
    y[threadIdx.x] = list[n - 1];  // may: out-of-bounds
    free(list);
}

int main() {
    Array<int> y(32);
#ifndef BROKEN
    check(cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t{64} << 20));
#endif
    fill<<<1, 32>>>(y, 256 << 10);
    return differs(y[31], 31);
}
