// Two stages have a barrier each, and only the first one is initialised.
#include <cuda/ptx>

#include "../arrays.h"

namespace ptx = cuda::ptx;

__global__ void hand_on(int* y) {
    __shared__ std::uint64_t full[2];
    __shared__ int value;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full[0], 1);
#ifndef BROKEN
        ptx::mbarrier_init(&full[1], 1);
#endif
        value = 5;
    }
    __syncthreads();
    if (threadIdx.x == 0) ptx::mbarrier_arrive(&full[1]);   // expect: uninitialised
    while (!ptx::mbarrier_test_wait_parity(&full[1], 0)) {  // may: uninitialised
    }
    y[threadIdx.x] = value;
}

int main() {
    Array<int> y(32);
    hand_on<<<1, 32>>>(y);
    return differs(y[1], 5);
}
