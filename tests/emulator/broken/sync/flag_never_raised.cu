// The one side raises the flag to 1, the other waits for 2.
#include <cstdio>

#ifdef BROKEN
constexpr int raised = 2;
#else
constexpr int raised = 1;
#endif

__global__ void pass_on(int* value, volatile int* flag, int* result) {
    if (blockIdx.x == 0) {
        *value = 42;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag != raised) continue;  // expect: deadlock
        __threadfence();
        *result = *value;
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
