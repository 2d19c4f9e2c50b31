// A barrier object that expects one arrival of each warp is given one of each thread.
#include <cuda/barrier>

#include "../arrays.h"

__global__ void neighbours(int* y) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int values[64];
    const int t = static_cast<int>(threadIdx.x);
    if (t == 0) init(&barrier, 2);
    __syncthreads();
    values[t] = t;
#ifdef BROKEN
    (void)barrier.arrive(t == 40 ? 3 : 0);  // expect: trap
#else
    __syncwarp();
    if (t % 32 == 0) (void)barrier.arrive();
    barrier.wait_parity(false);
    y[t] = values[63 - t];
#endif
}

int main() {
    Array<int> y(64);
    neighbours<<<1, 64>>>(y);
    return differs(y[0], 63);
}
