// Memory of the pool is freed in the stream that allocated it, while a kernel in another stream may still read it.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;
}

__global__ void copy(const int* x, int* y) {
    y[threadIdx.x] = x[threadIdx.x];  // expect: unordered
}

int main() {
    Array<int> y(64);
    cudaStream_t one, two;
    cudaEvent_t filled, copied;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    int* x;
    cudaMallocAsync(&x, 64 * sizeof(int), one);
    fill<<<1, 64, 0, one>>>(x);
    cudaEventRecord(filled, one);
    cudaStreamWaitEvent(two, filled);
    copy<<<1, 64, 0, two>>>(x, y);
    cudaEventRecord(copied, two);
#ifndef BROKEN
    cudaStreamWaitEvent(one, copied);
#endif
    cudaFreeAsync(x, one);  // expect: unordered, other
    cudaStreamSynchronize(two);
    cudaStreamSynchronize(one);
    return differs(y[5], 5);
}
