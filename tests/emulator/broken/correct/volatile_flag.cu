// Block 0 passes values to block 1, one after another, with volatile flags and fences on both sides.
#include <cstdio>

__global__ void pipe(int* slot, volatile int* full, int* result) {
    for (int i = 1; i <= 5; ++i) {
        if (blockIdx.x == 0) {
            while (*full != 0) continue;
            __threadfence();
            *slot = i * i;
            __threadfence();
            *full = 1;
        } else {
            while (*full != 1) continue;
            __threadfence();
            *result += *slot;
            __threadfence();
            *full = 0;
        }
    }
}

int main() {
    int *memory, host = 0;
    cudaMalloc(&memory, 3 * sizeof(int));
    cudaMemset(memory, 0, 3 * sizeof(int));
    pipe<<<2, 1>>>(memory, memory + 1, memory + 2);
    cudaMemcpy(&host, memory + 2, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host);
    return host == 55 ? 0 : 1;
}
