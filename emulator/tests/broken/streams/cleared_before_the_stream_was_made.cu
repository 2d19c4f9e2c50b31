// Memory is cleared in the default stream, and used in a stream that was made afterwards and does not wait for that.
#include "../arrays.h"

__global__ void count(int* counts) {
    counts[threadIdx.x] += 1;  // expect: unordered
}

int main() {
    const int n = 64;
    int* counts = nullptr;
    check(cudaMalloc(&counts, n * sizeof(int)));
    check(cudaMemset(counts, 0, n * sizeof(int)));  // expect: unordered, other
    cudaStream_t stream;
#ifdef BROKEN
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
#else
    check(cudaStreamCreate(&stream));
#endif
    count<<<1, n, 0, stream>>>(counts);
    int last = 0;
    check(cudaStreamSynchronize(stream));
    check(cudaMemcpy(&last, counts + n - 1, sizeof last, cudaMemcpyDeviceToHost));
    check(cudaStreamDestroy(stream));
    check(cudaFree(counts));
    return differs(last, 1);
}
