// A new entry is put in front of the list in two steps: two threads may find the same head.
#include <cstdio>

__global__ void insert(int* head, int* next) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BROKEN
    next[i] = *head;  // expect: race
    *head = i;        // expect: race, other
#else
    next[i] = atomicExch(head, i);
#endif
}

int main() {
    const int n = 64;
    int *memory, host[n + 1], length = 0;
    cudaMalloc(&memory, sizeof host);
    cudaMemset(memory, 0xff, sizeof host);
    insert<<<2, 32>>>(memory, memory + 1);
    cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    for (int i = host[0]; i != -1 && length <= n; i = host[1 + i]) ++length;
    std::printf("%d\n", length);
    return length == n ? 0 : 1;
}
