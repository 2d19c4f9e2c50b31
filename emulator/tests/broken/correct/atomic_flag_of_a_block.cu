// All threads of block 0 store, one raises the flag for them; one of block 1 waits for it, and a barrier tells the
// others.
#include "../arrays.h"

__global__ void pass_on(int* values, int* flag, int* result) {
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        values[t] = 7 * t;
        __syncthreads();
        if (t == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        if (t == 0) {
            while (atomicAdd(flag, 0) == 0) continue;
            __threadfence();
        }
        __syncthreads();
        result[t] = values[63 - t];
    }
}

int main() {
    Array<int> values(64);
    Array<int> result(64);
    Array<int> flag(1, 0);
    pass_on<<<2, 64>>>(values, flag, result);
    return differs(result[0], 441);
}
