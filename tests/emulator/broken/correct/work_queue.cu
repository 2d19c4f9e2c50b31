// Blocks take their work from an atomic counter; each piece is one block's alone.
#include <cstdio>

__global__ void work(unsigned* next, const int* x, int* y, unsigned n) {
    __shared__ unsigned piece;
    while (true) {
        __syncthreads();
        if (threadIdx.x == 0) piece = atomicAdd(next, 1u);
        __syncthreads();
        const unsigned i = 32 * piece + threadIdx.x;
        if (32 * piece >= n) return;
        if (i < n) y[i] = x[i] + 1;
    }
}

int main() {
    const unsigned n = 200;
    int *x, *y, host[n];
    unsigned* next;
    for (unsigned i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMalloc(&next, sizeof(unsigned));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(next, 0, sizeof(unsigned));
    work<<<3, 32>>>(next, x, y, n);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host[n - 1]);
    return host[n - 1] == static_cast<int>(n) ? 0 : 1;
}
