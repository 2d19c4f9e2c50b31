// Two pinned buffers in turns, each to be filled again once its copy is over. One event stands for both.
#include "../arrays.h"

__global__ void add_to(int* sum, const int* x) {
    atomicAdd(sum, x[threadIdx.x]);
}

int main() {
    constexpr int n = 32;
    constexpr std::size_t bytes = n * sizeof(int);
    int *buffers[2], *x[2];
    Array<int> sum(1, 0);
    cudaStream_t streams[2];
    cudaEvent_t read[2];
    for (int b = 0; b < 2; ++b) {
        check(cudaMallocHost(&buffers[b], n * sizeof(int)));
        check(cudaMalloc(&x[b], n * sizeof(int)));
        check(cudaStreamCreate(&streams[b]));
        check(cudaEventCreate(&read[b]));
    }
    for (int step = 0; step < 6; ++step) {
        const int b = step % 2;
#ifdef BROKEN
        const int event = 0;
#else
        const int event = b;
#endif
        if (step > 1) check(cudaEventSynchronize(read[event]));
        for (int i = 0; i < n; ++i) buffers[b][i] = step;                                // expect: unordered
        check(cudaMemcpyAsync(x[b], buffers[b], bytes, cudaMemcpyDefault, streams[b]));  // expect: unordered, other
        check(cudaEventRecord(read[event], streams[b]));
        add_to<<<1, n, 0, streams[b]>>>(sum, x[b]);
    }
    const int all = sum[0];
    for (int b = 0; b < 2; ++b) {
        check(cudaEventDestroy(read[b]));
        check(cudaStreamDestroy(streams[b]));
        check(cudaFree(x[b]));
        check(cudaFreeHost(buffers[b]));
    }
    return differs(all, 480);
}
