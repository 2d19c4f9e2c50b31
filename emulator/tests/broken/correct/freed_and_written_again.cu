// New memory, perhaps at the old place, is written before it is read; null pointers may be freed.
#include "../arrays.h"

__global__ void fill(int* x, int value) {
    x[threadIdx.x] = value;
}

__global__ void add(const int* x, int* y) {
    y[threadIdx.x] += x[threadIdx.x];
}

int main() {
    int *x, *y, host[32] = {};
    cudaMalloc(&y, sizeof host);
    cudaMemset(y, 0, sizeof host);
    for (int i = 0; i < 4; ++i) {
        cudaMalloc(&x, sizeof host);
        fill<<<1, 32>>>(x, i);
        add<<<1, 32>>>(x, y);
        cudaFree(x);
    }
    cudaFree(nullptr);
    cudaFreeHost(nullptr);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(y);
    return differs(host[31], 6);
}
