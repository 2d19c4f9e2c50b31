// The threads that read the second half wait for the barrier of the first half.
#include <cuda/barrier>

#include "../arrays.h"

__global__ void halves(int* y) {
    __shared__ cuda::barrier<cuda::thread_scope_block> first, second;
    __shared__ int values[64];
    const int t = static_cast<int>(threadIdx.x);
    if (t == 0) {
        init(&first, 32);
        init(&second, 32);
    }
    __syncthreads();
    if (t < 32) {
        values[t] = t;
        (void)first.arrive();
        values[t + 32] = t;  // expect: race
        (void)second.arrive();
    } else {
        first.wait_parity(false);
        y[t - 32] = values[t - 32];
#ifndef BROKEN
        second.wait_parity(false);
#endif
        y[t] = values[95 - t];  // expect: race, other
    }
}

int main() {
    Array<int> y(64);
    halves<<<1, 64>>>(y);
    return differs(y[32], 31);
}
