// The graph frees its memory, and the host copies from there behind it.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = 5 * threadIdx.x;
}

int main() {
    constexpr int n = 64;
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    int *x = nullptr, last = 0;
    cudaGraph_t graph;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    check(cudaMallocAsync(&x, n * sizeof(int), stream));
    fill<<<1, n, 0, stream>>>(x);
#ifdef BROKEN
    check(cudaFreeAsync(x, stream));
#endif
    check(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t exec;
    check(cudaGraphInstantiate(&exec, graph, 0));
    check(cudaGraphLaunch(exec, stream));
    cudaMemcpyAsync(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost, stream);  // expect: use-after-free
#ifndef BROKEN
    check(cudaFreeAsync(x, stream));
#endif
    check(cudaStreamSynchronize(stream));
    check(cudaGraphExecDestroy(exec));
    check(cudaGraphDestroy(graph));
    check(cudaStreamDestroy(stream));
    return differs(last, 5 * (n - 1));
}
