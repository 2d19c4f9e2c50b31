// Copies and kernels of one stream, in halves that use different parts of the buffers.
#include "../arrays.h"

__global__ void twice(int* x) {
    x[threadIdx.x] *= 2;
}

int main() {
    const int n = 128, half = n / 2;
    int *x, *pinned, sum = 0;
    cudaStream_t streams[2];
    cudaMalloc(&x, n * sizeof(int));
    cudaMallocHost(&pinned, n * sizeof(int));
    for (int i = 0; i < n; ++i) pinned[i] = i;
    for (int part = 0; part < 2; ++part) {
        const int first = part * half;
        cudaStreamCreate(&streams[part]);
        cudaMemcpyAsync(x + first, pinned + first, half * sizeof(int), cudaMemcpyHostToDevice, streams[part]);
        twice<<<1, half, 0, streams[part]>>>(x + first);
        cudaMemcpyAsync(pinned + first, x + first, half * sizeof(int), cudaMemcpyDeviceToHost, streams[part]);
    }
    for (cudaStream_t stream : streams) {
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
    for (int i = 0; i < n; ++i) sum += pinned[i];
    cudaFreeHost(pinned);
    cudaFree(x);
    return differs(sum, 16256);
}
