// Block 0 passes values to block 1, one after another, with volatile flags and fences on both sides.
#include "../arrays.h"

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
    Array<int> memory(3, 0);
    pipe<<<2, 1>>>(memory, memory + 1, memory + 2);
    return differs(memory[2], 55);
}
