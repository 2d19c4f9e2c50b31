// A volatile flag is seen by the other block, and says nothing about the value behind it.
#include <cstdio>

__global__ void pass_on(int* value, volatile int* flag, int* result) {
    if (blockIdx.x == 0) {
        *value = 42;  // expect: race
#ifndef BROKEN
        __threadfence();
#endif
        *flag = 1;
    } else {
        while (*flag == 0) continue;
#ifndef BROKEN
        __threadfence();
#endif
        *result = *value;  // expect: race, other
    }
}

int main() {
    int *memory, host = 0;
    cudaMalloc(&memory, 3 * sizeof(int));
    cudaMemset(memory, 0, 3 * sizeof(int));
    pass_on<<<2, 1>>>(memory, memory + 1, memory + 2);
    cudaMemcpy(&host, memory + 2, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    std::printf("%d\n", host);
    return host == 42 ? 0 : 1;
}
