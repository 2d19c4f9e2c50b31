// Who gets the lock need not see what the last owner has stored.
#include <cstdio>

__global__ void count(int* lock, int* counter) {
    while (atomicCAS(lock, 0, 1) != 0) continue;
#ifndef BROKEN
    __threadfence();
#endif
    *counter += 1;  // expect: race
#ifndef BROKEN
    __threadfence();
#endif
    atomicExch(lock, 0);
}

int main() {
    int *memory, host = 0;
    cudaMalloc(&memory, 2 * sizeof(int));
    cudaMemset(memory, 0, 2 * sizeof(int));
    count<<<20, 1>>>(memory, memory + 1);
    cudaMemcpy(&host, memory + 1, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    std::printf("%d\n", host);
    return host == 20 ? 0 : 1;
}
