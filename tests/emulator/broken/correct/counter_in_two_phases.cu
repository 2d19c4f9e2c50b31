// A shared counter: plain store, barrier, atomics, barrier, plain load, barrier, and once more.
#include <cstdio>

__global__ void rounds(const int* x, int* y) {
    __shared__ int count;
    const int t = threadIdx.x;
    for (int limit = 0; limit < 4; ++limit) {
        if (t == 0) count = 0;
        __syncthreads();
        if (x[t] > 16 * limit) atomicAdd(&count, 1);
        __syncthreads();
        if (t == limit) y[limit] = count;
        __syncthreads();
    }
}

int main() {
    int *x, *y, host[64];
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, 4 * sizeof(int));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    rounds<<<1, 64>>>(x, y);
    cudaMemcpy(host, y, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", host[0], host[3]);
    return host[0] == 63 && host[3] == 15 ? 0 : 1;
}
