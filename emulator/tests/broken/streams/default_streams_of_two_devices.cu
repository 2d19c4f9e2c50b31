// Each device has a default stream of its own, and the two do not wait for each other.
// devices: 2
#include "../arrays.h"

__global__ void produce(int* x) {
    x[threadIdx.x] = threadIdx.x + 1;  // expect: unordered, other
}

__global__ void consume(const int* x, int* sum) {
    atomicAdd(sum, x[threadIdx.x]);  // expect: unordered
}

int main() {
    Array<int> x(32);
    cudaEvent_t produced;
    check(cudaEventCreate(&produced));
    produce<<<1, 32>>>(x);
    check(cudaEventRecord(produced));
    check(cudaSetDevice(1));
    check(cudaDeviceEnablePeerAccess(0, 0));
    int *sum, result = 0;
    check(cudaMalloc(&sum, sizeof(int)));
    check(cudaMemset(sum, 0, sizeof(int)));
#ifndef BROKEN
    check(cudaStreamWaitEvent(nullptr, produced));
#endif
    consume<<<1, 32>>>(x, sum);
    check(cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost));
    check(cudaFree(sum));
    check(cudaEventDestroy(produced));
    return differs(result, 528);
}
