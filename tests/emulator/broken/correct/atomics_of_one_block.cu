// atomicAdd_block() where only one block uses the counter, and the other kinds of atomic functions on one place.
#include <cstdio>

__global__ void count(int* counters, int* common) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd_block(&counters[blockIdx.x], 1);
    atomicMax(&common[0], i);
    atomicAdd_system(&common[1], 1);
    atomicAdd(&common[1], 1);
}

int main() {
    int *x, host[4] = {};
    cudaMalloc(&x, sizeof host);
    cudaMemset(x, 0, sizeof host);
    count<<<2, 64>>>(x, x + 2);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d %d %d\n", host[1], host[2], host[3]);
    return host[1] == 64 && host[2] == 127 && host[3] == 256 ? 0 : 1;
}
