// Host code waits for a stream that is being captured: that is not allowed, and breaks the capture.
#include "../arrays.h"

__global__ void add(int* x, int value) {
    x[threadIdx.x] += value;
}

int main() {
    Array<int> x(32, 0);
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<1, 32, 0, stream>>>(x, 1);
#ifdef BROKEN
    cudaStreamSynchronize(stream);  // expect: failed-call
#endif
    add<<<1, 32, 0, stream>>>(x, 2);  // may: refused-launch
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(stream, &graph);  // may: failed-call
    if (graph != nullptr) {
        cudaGraphExec_t executable;
        check(cudaGraphInstantiate(&executable, graph, 0));
        check(cudaGraphLaunch(executable, stream));
        check(cudaStreamSynchronize(stream));
        check(cudaGraphExecDestroy(executable));
        check(cudaGraphDestroy(graph));
    }
    check(cudaStreamDestroy(stream));
    return differs(x[3], 3);
}
