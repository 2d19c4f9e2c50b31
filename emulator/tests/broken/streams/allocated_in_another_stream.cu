// Memory of the pool is allocated in one stream and cleared in another one, which does not wait for that.
#include "../arrays.h"

int main() {
    cudaStream_t one, two;
    cudaEvent_t allocated;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&allocated, cudaEventDisableTiming);
    int *x, y[64];
    cudaMallocAsync(&x, sizeof y, one);  // expect: unordered
    cudaEventRecord(allocated, one);
#ifndef BROKEN
    cudaStreamWaitEvent(two, allocated);
#endif
    cudaMemsetAsync(x, 1, sizeof y, two);  // expect: unordered, other
    cudaMemcpyAsync(y, x, sizeof y, cudaMemcpyDeviceToHost, two);
    cudaStreamSynchronize(two);
    cudaFreeAsync(x, two);
    cudaDeviceSynchronize();
    return differs(y[5], 0x01010101);
}
