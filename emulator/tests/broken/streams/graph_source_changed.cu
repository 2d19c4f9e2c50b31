// A graph copies from pinned memory whenever it is launched, and the host fills that anew while the launch before may
// still read it.
#include "../arrays.h"

__global__ void add(const int* x, int* sum) {
    atomicAdd(sum, x[threadIdx.x]);
}

int main() {
    Array<int> x(32), sum(1, 0);
    int* host;
    check(cudaMallocHost(&host, 32 * sizeof(int)));
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    check(cudaMemcpyAsync(x, host, 32 * sizeof(int), cudaMemcpyHostToDevice, stream));
    add<<<1, 32, 0, stream>>>(x, sum);
    cudaGraph_t graph;
    check(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t executable;
    check(cudaGraphInstantiate(&executable, graph, 0));
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 32; ++i) host[i] = round;  // expect: unordered
        check(cudaGraphLaunch(executable, stream));    // expect: unordered, other
#ifndef BROKEN
        check(cudaStreamSynchronize(stream));
#endif
    }
    check(cudaStreamSynchronize(stream));
    check(cudaGraphExecDestroy(executable));
    check(cudaGraphDestroy(graph));
    check(cudaStreamDestroy(stream));
    check(cudaFreeHost(host));
    return differs(sum[0], 96);
}
