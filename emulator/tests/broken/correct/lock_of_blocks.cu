// One thread of each block takes a lock; fences keep what is done inside of it inside.
#include "../arrays.h"

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
    Array<int> memory(n + 2);
    cudaMemset(memory, 0, 2 * sizeof(int));
    append<<<n, 32>>>(memory, memory + 1, memory + 2);
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += memory[2 + i];
    return differs(memory[1], n) || differs(sum, 120);
}
