// Every block takes a lock, but not the same one.
#include <cstdio>

__global__ void count(int* locks, int* counter) {
#ifdef BROKEN
    int* lock = &locks[blockIdx.x % 2];
#else
    int* lock = &locks[0];
#endif
    while (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
    *counter += 1;  // expect: race
    __threadfence();
    atomicExch(lock, 0);
}

int main() {
    int *memory, host = 0;
    cudaMalloc(&memory, 3 * sizeof(int));
    cudaMemset(memory, 0, 3 * sizeof(int));
    count<<<20, 1>>>(memory, memory + 2);
    cudaMemcpy(&host, memory + 2, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    std::printf("%d\n", host);
    return host == 20 ? 0 : 1;
}
