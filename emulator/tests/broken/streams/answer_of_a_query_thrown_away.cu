// The host asks whether the kernel has ended, and reads its result without looking at the answer.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;  // expect: unordered
}

int main() {
    int* x;
    check(cudaMallocManaged(&x, 64 * sizeof(int)));
    cudaEvent_t filled;
    check(cudaEventCreate(&filled));
    fill<<<1, 64>>>(x);
    check(cudaEventRecord(filled));
#ifdef BROKEN
    cudaEventQuery(filled);
#else
    while (cudaEventQuery(filled) == cudaErrorNotReady) {
    }
#endif
    const int last = x[63];  // expect: unordered, other
    check(cudaDeviceSynchronize());
    check(cudaEventDestroy(filled));
    check(cudaFree(x));
    return differs(last, 63);
}
