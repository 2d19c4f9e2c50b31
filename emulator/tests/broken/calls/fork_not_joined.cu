// While streams are captured a second one is forked by an event, and the first one never waits for it again.
#include "../arrays.h"

__global__ void add(int* x, int value) {
    x[threadIdx.x] += value;
}

int main() {
    Array<int> x(32, 0), y(32, 0);
    cudaStream_t one, two;
    cudaEvent_t fork, join;
    check(cudaStreamCreate(&one));
    check(cudaStreamCreate(&two));
    check(cudaEventCreate(&fork));
    check(cudaEventCreate(&join));
    check(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    check(cudaEventRecord(fork, one));
    check(cudaStreamWaitEvent(two, fork));
    add<<<1, 32, 0, one>>>(x, 1);
    add<<<1, 32, 0, two>>>(y, 2);
#ifndef BROKEN
    check(cudaEventRecord(join, two));
    check(cudaStreamWaitEvent(one, join));
#endif
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(one, &graph);  // expect: failed-call
    if (graph != nullptr) {
        cudaGraphExec_t executable;
        check(cudaGraphInstantiate(&executable, graph, 0));
        check(cudaGraphLaunch(executable, one));
        check(cudaStreamSynchronize(one));
        check(cudaGraphExecDestroy(executable));
        check(cudaGraphDestroy(graph));
    }
    check(cudaEventDestroy(fork));
    check(cudaEventDestroy(join));
    check(cudaStreamDestroy(one));
    check(cudaStreamDestroy(two));
    return differs(x[3] + y[3], 3);
}
