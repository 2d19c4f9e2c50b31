// The time between two events, and nobody waits for the second one nor looks at the answer.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;
}

int main() {
    Array<int> x(256);
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    check(cudaEventRecord(begin));
    fill<<<1, 256>>>(x);
    check(cudaEventRecord(end));
#ifndef BROKEN
    check(cudaEventSynchronize(end));
#endif
    float milliseconds = -1;
    cudaEventElapsedTime(&milliseconds, begin, end);  // expect: failed-call
    check(cudaDeviceSynchronize());
    check(cudaEventDestroy(begin));
    check(cudaEventDestroy(end));
    return differs(x[255], 255);
}
