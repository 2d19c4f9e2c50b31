// The lanes of a warp take the lock one after another, so that two of them never wait for each other.
#include <cstdio>

__global__ void count(int* lock, int* counter) {
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (threadIdx.x % 32 != lane) continue;
        while (atomicCAS(lock, 0, 1) != 0) continue;
        __threadfence();
        *counter += 1;
        __threadfence();
        atomicExch(lock, 0);
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
