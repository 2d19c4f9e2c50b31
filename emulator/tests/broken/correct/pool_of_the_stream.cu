// Memory that is allocated and freed in a stream, and used between.
#include "../arrays.h"

__global__ void fill(int* x, int value) {
    x[threadIdx.x] = value;
}

int main() {
    int host[32] = {}, sum = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    for (int i = 0; i < 4; ++i) {
        int* x;
        cudaMallocAsync(&x, sizeof host, stream);
        fill<<<1, 32, 0, stream>>>(x, i);
        cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream);
        cudaFreeAsync(x, stream);
        cudaStreamSynchronize(stream);
        sum += host[31];
    }
    cudaStreamDestroy(stream);
    return differs(sum, 6);
}
