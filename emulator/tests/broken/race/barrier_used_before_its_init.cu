// One thread initialises an mbarrier, and the others arrive at it without a barrier in between.
#include <cuda/barrier>

#include "../arrays.h"

__global__ void reverse(const int* x, int* y) {
    __shared__ cuda::barrier<cuda::thread_scope_block> filled;
    __shared__ int values[64];
    const int t = static_cast<int>(threadIdx.x);
    if (t == 0) init(&filled, 64);  // expect: race, other
#ifdef BROKEN
    __syncwarp();
#else
    __syncthreads();
#endif
    values[t] = x[t];
    filled.arrive_and_wait();  // expect: race
    y[t] = values[63 - t];
}

int main() {
    Array<int> x(64, [](int i) { return i; }), y(64);
    reverse<<<1, 64>>>(x, y);
    return differs(y[0], x[63]);
}
