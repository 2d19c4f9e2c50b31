// The one side raises the flag to 1, the other waits for 2.
#include "../arrays.h"

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
    Array<int> memory(3, 0);
    pass_on<<<2, 1>>>(memory, memory + 1, memory + 2);
    return differs(memory[2], 42);
}
