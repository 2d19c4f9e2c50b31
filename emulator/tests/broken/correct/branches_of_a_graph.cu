// A graph by hand: two branches fill halves of an array and count in one word, each by two nodes; one of them is a
// graph itself. Behind both stand a copy and a kernel. The graph is launched time and again, beside nothing else.
#include "../arrays.h"

__global__ void fill(int* x, int first, int* count) {
    x[threadIdx.x] = first + threadIdx.x;
    atomicAdd(count, 1);
}

__global__ void add_one(int* x) {
    ++x[threadIdx.x];
}

cudaGraphNode_t add_kernel(cudaGraph_t graph, cudaGraphNode_t* before, void* kernel, void** arguments) {
    cudaKernelNodeParams p{};
    p.func = kernel;
    p.gridDim = 1;
    p.blockDim = 32;
    p.kernelParams = arguments;
    cudaGraphNode_t node;
    cudaGraphAddKernelNode(&node, graph, before, before == nullptr ? 0 : 1, &p);
    return node;
}

int main() {
    Array<int> x(64), y(64), count(1, 0);
    int *first = x, *second = first + 32, *counter = count, one = 1, two = 2;
    void* of_first[] = {&first, &one, &counter};
    void* of_second[] = {&second, &two, &counter};
    cudaGraph_t graph, inner;
    cudaGraphCreate(&graph, 0);
    cudaGraphCreate(&inner, 0);
    cudaGraphNode_t ends[2], copied;
    cudaGraphNode_t filled = add_kernel(graph, nullptr, reinterpret_cast<void*>(fill), of_first);
    ends[0] = add_kernel(graph, &filled, reinterpret_cast<void*>(add_one), of_first);
    filled = add_kernel(inner, nullptr, reinterpret_cast<void*>(fill), of_second);
    add_kernel(inner, &filled, reinterpret_cast<void*>(add_one), of_second);
    cudaGraphAddChildGraphNode(&ends[1], graph, nullptr, 0, inner);
    int* const source = x;
    int* target = y;
    cudaGraphAddMemcpyNode1D(&copied, graph, ends, 2, target, source, 64 * sizeof(int), cudaMemcpyDeviceToDevice);
    void* of_target[] = {&target};
    add_kernel(graph, &copied, reinterpret_cast<void*>(add_one), of_target);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3; ++i) cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    return differs(y[40], 11) + differs(count[0], 3 * 64);
}
