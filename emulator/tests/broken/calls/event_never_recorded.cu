// The time between two events, one of which was never recorded.
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
#ifndef BROKEN
    check(cudaEventRecord(end));
#endif
    check(cudaEventSynchronize(end));
    float milliseconds = -1;
    cudaEventElapsedTime(&milliseconds, begin, end);  // expect: failed-call
    check(cudaEventDestroy(begin));
    check(cudaEventDestroy(end));
    return differs(milliseconds >= 0, true);
}
