// Two streams use one buffer; an event puts them in order.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;
}

__global__ void reverse(const int* x, int* y) {
    y[threadIdx.x] = x[63 - threadIdx.x];
}

int main() {
    int *x, *y, *pinned;
    cudaStream_t first, second;
    cudaEvent_t filled;
    cudaStreamCreate(&first);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMalloc(&y, 64 * sizeof(int));
    cudaMallocHost(&pinned, 64 * sizeof(int));
    fill<<<1, 64, 0, first>>>(x);
    cudaEventRecord(filled, first);
    cudaStreamWaitEvent(second, filled);
    reverse<<<1, 64, 0, second>>>(x, y);
    cudaMemcpyAsync(pinned, y, 64 * sizeof(int), cudaMemcpyDeviceToHost, second);
    cudaStreamSynchronize(second);
    const int value = pinned[0];
    cudaFreeHost(pinned);
    cudaEventDestroy(filled);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    return differs(value, 63);
}
