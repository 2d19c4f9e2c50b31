// The threads of a warp wait for a phase of a barrier at which the others never arrive.
#include <cuda/barrier>

#include "../arrays.h"

__global__ void hand_over(int* y) {
    __shared__ cuda::barrier<cuda::thread_scope_block> filled;
    __shared__ int values[32];
    const int t = static_cast<int>(threadIdx.x);
    if (t == 0) init(&filled, 32);
    __syncthreads();
    if (t < 32) {
        values[t] = t;
#ifndef BROKEN
        (void)filled.arrive();
#endif
    } else {
        filled.wait_parity(false);  // expect: deadlock
        y[t - 32] = values[t - 32];
    }
}

int main() {
    Array<int> y(32, 0);
    hand_over<<<1, 64>>>(y);
    return differs(y[5], 5);
}
