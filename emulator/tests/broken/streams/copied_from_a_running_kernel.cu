// A stream made with cudaStreamNonBlocking runs beside the default stream: cudaMemcpy() does not wait for its kernel.
#include "../arrays.h"

__global__ void squares(int* x) {
    x[threadIdx.x] = threadIdx.x * threadIdx.x;  // expect: unordered
}

int main() {
    int *x, all[64];
    check(cudaMalloc(&x, sizeof all));
    cudaStream_t stream;
#ifdef BROKEN
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
#else
    check(cudaStreamCreate(&stream));
#endif
    squares<<<1, 64, 0, stream>>>(x);
    check(cudaMemcpy(all, x, sizeof all, cudaMemcpyDeviceToHost));  // expect: unordered, other
    check(cudaStreamDestroy(stream));
    check(cudaFree(x));
    return differs(all[8], 64);
}
