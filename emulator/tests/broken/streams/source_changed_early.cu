// The host writes the next values into pinned memory that a copy may still be reading.
#include "../arrays.h"

int main() {
    constexpr int n = 100;
    int *next, *x;
    check(cudaMallocHost(&next, n * sizeof(int)));
    check(cudaMalloc(&x, n * sizeof(int)));
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    for (int i = 0; i < n; ++i) next[i] = i;
    check(cudaMemcpyAsync(x, next, n * sizeof(int), cudaMemcpyHostToDevice, stream));  // expect: unordered, other
#ifndef BROKEN
    check(cudaStreamSynchronize(stream));
#endif
    for (int i = 0; i < n; ++i) next[i] = -i;  // expect: unordered
    int last = 0;
    check(cudaStreamSynchronize(stream));
    check(cudaMemcpy(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost));
    check(cudaStreamDestroy(stream));
    check(cudaFree(x));
    check(cudaFreeHost(next));
    return differs(last, 99);
}
