// A lock is taken by atomicCAS() and given back by a store through volatile, behind a fence. Others try meanwhile.
#include <cstdio>

__global__ void count(volatile int* lock, int* counter) {
    for (int lane = 0; lane < 32; ++lane) {
        if (static_cast<int>(threadIdx.x % 32) != lane) continue;
        while (atomicCAS(const_cast<int*>(lock), 0, 1) != 0) continue;
        __threadfence();
        *counter += 1;
        __threadfence();
        *lock = 0;
    }
}

int main() {
    int *memory, host = 0;
    cudaMalloc(&memory, 2 * sizeof(int));
    cudaMemset(memory, 0, 2 * sizeof(int));
    count<<<2, 64>>>(memory, memory + 1);
    cudaMemcpy(&host, memory + 1, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host);
    return host == 128 ? 0 : 1;
}
