// A graph's memory is fresh with each launch: the second one does not find the sums of the first.
#include "../arrays.h"

__global__ void clear(int* sums) {
    sums[threadIdx.x] = 0;
}

__global__ void add(const int* x, int* sums, int* total) {
    sums[threadIdx.x] += x[threadIdx.x];  // expect: uninitialised
    total[threadIdx.x] += sums[threadIdx.x];
}

int main() {
    constexpr int n = 64;
    Array<int> x(n, [](int i) { return i; }), total(n, 0);
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    int* sums = nullptr;
    cudaGraph_t graph;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    check(cudaMallocAsync(&sums, n * sizeof(int), stream));
#ifndef BROKEN
    clear<<<1, n, 0, stream>>>(sums);
#endif
    add<<<1, n, 0, stream>>>(x, sums, total);
    check(cudaFreeAsync(sums, stream));
    check(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t exec;
    check(cudaGraphInstantiate(&exec, graph, 0));
    for (int launch = 0; launch < 2; ++launch) check(cudaGraphLaunch(exec, stream));
    check(cudaStreamSynchronize(stream));
    check(cudaGraphExecDestroy(exec));
    check(cudaGraphDestroy(graph));
    check(cudaStreamDestroy(stream));
    return differs(total[n - 1], 2 * x[n - 1]);
}
