// cudaFreeAsync() frees in the stream's order: what is launched behind it comes too late.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;  // expect: use-after-free
}

int main() {
    const int n = 64;
    int *x, host[n] = {};
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocAsync(&x, sizeof host, stream);
#ifdef BROKEN
    cudaFreeAsync(x, stream);
    fill<<<1, n, 0, stream>>>(x);
#else
    fill<<<1, n, 0, stream>>>(x);
    cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(x, stream);
#endif
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    return differs(host[n - 1], n - 1);
}
