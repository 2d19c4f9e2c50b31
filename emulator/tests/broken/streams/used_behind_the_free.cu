// Memory of the pool is freed in one stream, and a kernel in another one that waits for that still uses it.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;
}

__global__ void copy(const int* x, int* y) {
    y[threadIdx.x] = x[threadIdx.x];  // expect: use-after-free
}

int main() {
    Array<int> y(64);
    cudaStream_t one, two;
    cudaEvent_t done, copied;
    check(cudaStreamCreate(&one));
    check(cudaStreamCreate(&two));
    check(cudaEventCreate(&done));
    check(cudaEventCreate(&copied));
    int* x;
    check(cudaMallocAsync(&x, 64 * sizeof(int), one));
    fill<<<1, 64, 0, one>>>(x);
#ifdef BROKEN
    check(cudaFreeAsync(x, one));
#endif
    check(cudaEventRecord(done, one));
    check(cudaStreamWaitEvent(two, done));
    copy<<<1, 64, 0, two>>>(x, y);
#ifndef BROKEN
    check(cudaEventRecord(copied, two));
    check(cudaStreamWaitEvent(one, copied));
    check(cudaFreeAsync(x, one));
#endif
    check(cudaDeviceSynchronize());
    check(cudaEventDestroy(done));
    check(cudaEventDestroy(copied));
    check(cudaStreamDestroy(one));
    check(cudaStreamDestroy(two));
    return differs(y[5], 5);
}
