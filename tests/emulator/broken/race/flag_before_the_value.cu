// First the flag and then the value: the wrong way round.
#include <cstdio>

__global__ void pass_on(int* value, int* flag, int* result) {
    if (blockIdx.x == 0) {
#ifdef BROKEN
        atomicExch(flag, 1);
        __threadfence();
        *value = 42;  // expect: race
#else
        *value = 42;
        __threadfence();
        atomicExch(flag, 1);
#endif
    } else {
        while (atomicAdd(flag, 0) == 0) continue;
        __threadfence();
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
