// An event is recorded in a stream of another device than its own: that fails, and who waits for it does not wait.
// devices: 2
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;  // expect: unordered
}

__global__ void twice(const int* x, int* y) {
    y[threadIdx.x] = 2 * x[threadIdx.x];  // expect: unordered, other
}

int main() {
    cudaEvent_t done;
    cudaStream_t first, second;
#ifdef BROKEN
    check(cudaEventCreate(&done));
#endif
    check(cudaSetDevice(1));
#ifndef BROKEN
    check(cudaEventCreate(&done));
#endif
    check(cudaStreamCreate(&first));
    check(cudaStreamCreate(&second));
    Array<int> x(64), y(64);
    fill<<<1, 64, 0, first>>>(x);
    // says: has failed. The event belongs to device 0, and the stream to device 1.
    cudaEventRecord(done, first);  // expect: failed-call
    cudaStreamWaitEvent(second, done);
    twice<<<1, 64, 0, second>>>(x, y);
    return differs(y[3], 6);
}
