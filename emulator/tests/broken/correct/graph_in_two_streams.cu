// An executable graph is launched in two streams: each launch comes behind the last one. It sets numbers of 4 bytes.
#include "../arrays.h"

__global__ void add_one(int* x, int* total) {
    total[threadIdx.x] += ++x[threadIdx.x];
}

int main() {
    constexpr int n = 64;
    Array<int> x(n), total(n, [](int i) { return i; });
    int *of_x = x, *of_total = total;
    cudaGraph_t graph;
    check(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t fill, kernel;
    cudaMemsetParams seven = {};
    seven.dst = of_x;
    seven.elementSize = 4;
    seven.value = 7;
    seven.width = n;
    seven.height = 1;
    check(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &seven));
    cudaKernelNodeParams launch = {};
    void* arguments[] = {&of_x, &of_total};
    launch.func = reinterpret_cast<void*>(add_one);
    launch.gridDim = dim3(1);
    launch.blockDim = dim3(n);
    launch.kernelParams = arguments;
    check(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &launch));
    cudaGraphExec_t exec;
    check(cudaGraphInstantiate(&exec, graph, 0));
    cudaStream_t one, two;
    check(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    for (int i = 0; i < 3; ++i) {
        check(cudaGraphLaunch(exec, one));
        check(cudaGraphLaunch(exec, two));
    }
    check(cudaStreamSynchronize(two));
    const int last = total[n - 1];
    check(cudaGraphExecDestroy(exec));
    check(cudaGraphDestroy(graph));
    check(cudaStreamDestroy(one));
    check(cudaStreamDestroy(two));
    return differs(last, n - 1 + 6 * 8);
}
