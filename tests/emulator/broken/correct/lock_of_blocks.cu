// One thread of each block takes a lock; fences keep what is done inside of it inside.
#include <cstdio>

__global__ void append(int* lock, int* size, int* list) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
    list[*size] = blockIdx.x;
    *size += 1;
    __threadfence();
    atomicExch(lock, 0);
}

int main() {
    const int n = 16;
    int *memory, host[n + 2] = {}, sum = 0;
    cudaMalloc(&memory, sizeof host);
    cudaMemset(memory, 0, 2 * sizeof(int));
    append<<<n, 32>>>(memory, memory + 1, memory + 2);
    cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) sum += host[2 + i];
    std::printf("%d %d\n", host[1], sum);
    return host[1] == n && sum == 120 ? 0 : 1;
}
