// Two launches of a graph have its memory at the same address, one after the other: its launches are in order in any
// streams, and the program frees what the graph does not.
#include "../arrays.h"

__global__ void fill(int* x, const int* from) {
    x[threadIdx.x] = 3 * from[threadIdx.x];
}

__global__ void add(const int* x, const int* y, int* total) {
    total[threadIdx.x] += x[threadIdx.x] + y[threadIdx.x];
}

int main() {
    constexpr int n = 64;
    Array<int> numbers(n, [](int i) { return i; }), total(n, 0);
    cudaStream_t streams[2];
    for (auto& each : streams) check(cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking));
    int *inner = nullptr, *outer = nullptr;
    cudaGraph_t graph;
    check(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
    check(cudaMallocAsync(&inner, n * sizeof(int), streams[0]));
    check(cudaMallocAsync(&outer, n * sizeof(int), streams[0]));
    fill<<<1, n, 0, streams[0]>>>(inner, numbers);
    fill<<<1, n, 0, streams[0]>>>(outer, inner);
    add<<<1, n, 0, streams[0]>>>(inner, outer, total);
    check(cudaFreeAsync(inner, streams[0]));
    check(cudaStreamEndCapture(streams[0], &graph));
    cudaGraphExec_t exec;
    check(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    for (int launch = 0; launch < 4; ++launch) check(cudaGraphLaunch(exec, streams[launch % 2]));
    add<<<1, n, 0, streams[1]>>>(outer, numbers, total);
    check(cudaFreeAsync(outer, streams[1]));
    check(cudaStreamSynchronize(streams[1]));
    check(cudaGraphExecDestroy(exec));
    check(cudaGraphDestroy(graph));
    for (const auto each : streams) check(cudaStreamDestroy(each));
    return differs(total[n - 1], (4 * 12 + 10) * numbers[n - 1]);
}
