// A graph of two branches that meet, captured from two streams: the event of the second branch is recorded behind its
// kernel, and waited for only behind the kernel that adds up what both have made.
#include "../arrays.h"

__global__ void fill(int* x, int first) {
    x[threadIdx.x] = first + threadIdx.x;  // expect: unordered
}

__global__ void add(const int* x, const int* y, int* z) {
    z[threadIdx.x] = x[threadIdx.x] + y[threadIdx.x];  // expect: unordered, other
}

int main() {
    Array<int> x(64, 0), y(64, 0), z(64);
    cudaStream_t one, two;
    cudaEvent_t begun, made;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
    cudaEventRecord(begun, one);
    cudaStreamWaitEvent(two, begun);
    fill<<<1, 64, 0, one>>>(x, 1);
    fill<<<1, 64, 0, two>>>(y, 2);
    cudaEventRecord(made, two);
#ifndef BROKEN
    cudaStreamWaitEvent(one, made);
#endif
    add<<<1, 64, 0, one>>>(x, y, z);
#ifdef BROKEN
    cudaStreamWaitEvent(one, made);
#endif
    cudaGraph_t graph;
    cudaStreamEndCapture(one, &graph);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph);
    cudaGraphLaunch(executable, one);
    cudaStreamSynchronize(one);
    return differs(z[5], 13);
}
