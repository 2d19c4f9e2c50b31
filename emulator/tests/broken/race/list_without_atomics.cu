// A new entry is put in front of the list in two steps: two threads may find the same head.
#include "../arrays.h"

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
    Array<int> memory(n + 1, -1);
    insert<<<2, 32>>>(memory, memory + 1);
    int length = 0;
    for (int i = memory[0]; i != -1 && length <= n; i = memory[1 + i]) ++length;
    return differs(length, n);
}
