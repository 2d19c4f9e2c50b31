// Thread 0 waits for a flag that thread 1 raises behind the barrier, at which thread 0 is missing.
#include "../arrays.h"

__global__ void work(int* x) {
    __shared__ int flag;
    const int t = threadIdx.x;
    if (t == 1) flag = 0;
    __syncthreads();
#ifdef BROKEN
    if (t == 0)
        while (atomicAdd(&flag, 0) == 0) continue;  // expect: deadlock
    __syncthreads();                                // may: deadlock
    if (t == 1) atomicExch(&flag, 1);
#else
    if (t == 1) atomicExch(&flag, 1);
    __syncthreads();
    if (t == 0)
        while (atomicAdd(&flag, 0) == 0) continue;
#endif
    x[t] = t;
}

int main() {
    Array<int> x(64);
    work<<<1, 64>>>(x);
    return differs(x[63], 63);
}
