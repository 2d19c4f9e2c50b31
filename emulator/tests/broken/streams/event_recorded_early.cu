// The event is recorded before the launch, so whoever waits for it does not wait for the kernel.
#include "../arrays.h"

__global__ void find(const int* x, int n, int key, int* place) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (x[i] == key) *place = i;  // expect: unordered, other
}

int main() {
    // data: as-is: the key is one of the values
    Array<int> x(1000, [](int i) { return 7 * i; });
    int* place;
    check(cudaMallocHost(&place, sizeof *place));
    *place = -1;
    cudaEvent_t found;
    check(cudaEventCreate(&found));
#ifdef BROKEN
    check(cudaEventRecord(found));
#endif
    find<<<4, 64>>>(x, 1000, 707, place);
#ifndef BROKEN
    check(cudaEventRecord(found));
#endif
    check(cudaEventSynchronize(found));
    const int at = *place;  // expect: unordered
    check(cudaDeviceSynchronize());
    check(cudaEventDestroy(found));
    check(cudaFreeHost(place));
    return differs(at, 101);
}
