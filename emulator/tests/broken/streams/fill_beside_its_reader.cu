// The node that fills and the one that adds up are two branches of a graph, which the program's only stream launches.
#include "../arrays.h"

__global__ void add(const int* x, int* total) {
    atomicAdd(total, x[threadIdx.x]);  // expect: unordered
}

int main() {
    constexpr int n = 64;
    Array<int> x(n, 0), total(1, 0);
    cudaGraph_t graph;
    check(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t filled, added;
    cudaMemsetParams fill{};
    fill.dst = x;
    fill.elementSize = sizeof(int);
    fill.width = n;
    fill.height = 1;
    fill.value = 3;
    check(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill));
    const int* from = x;
    int* to = total;
    void* arguments[] = {&from, &to};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(add);
    kernel.gridDim = 1;
    kernel.blockDim = n;
    kernel.kernelParams = arguments;
#ifdef BROKEN
    check(cudaGraphAddKernelNode(&added, graph, nullptr, 0, &kernel));
#else
    check(cudaGraphAddKernelNode(&added, graph, &filled, 1, &kernel));
#endif
    cudaGraphExec_t exec;
    check(cudaGraphInstantiate(&exec, graph, 0));
    check(cudaGraphLaunch(exec, nullptr));  // expect: unordered, other
    check(cudaDeviceSynchronize());
    check(cudaGraphExecDestroy(exec));
    check(cudaGraphDestroy(graph));
    return differs(total[0], 3 * n);
}
