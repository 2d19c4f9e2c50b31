// Two halves are copied back in two streams, and the host waits for the first stream only.
#include "../arrays.h"

__global__ void fill(int* x, int value) {
    x[threadIdx.x] = value;
}

int main() {
    constexpr int n = 64;
    int *x, *back;
    check(cudaMalloc(&x, 2 * n * sizeof(int)));
    check(cudaMallocHost(&back, 2 * n * sizeof(int)));
    constexpr std::size_t bytes = n * sizeof(int);
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) check(cudaStreamCreate(&stream));
    for (int half = 0; half < 2; ++half) {
        fill<<<1, n, 0, streams[half]>>>(x + half * n, half + 1);
        int* to = back + half * n;
        check(cudaMemcpyAsync(to, x + half * n, bytes, cudaMemcpyDefault, streams[half]));  // expect: unordered, other
    }
    check(cudaStreamSynchronize(streams[0]));
#ifndef BROKEN
    check(cudaStreamSynchronize(streams[1]));
#endif
    const int sum = back[0] + back[n];  // expect: unordered
    check(cudaDeviceSynchronize());
    for (cudaStream_t stream : streams) check(cudaStreamDestroy(stream));
    check(cudaFree(x));
    check(cudaFreeHost(back));
    return differs(sum, 3);
}
