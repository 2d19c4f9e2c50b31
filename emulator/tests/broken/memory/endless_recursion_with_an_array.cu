// Each call has an array of its own, and the recursion steps over its end; the other threads wait at a barrier.
#include "../arrays.h"

__device__ int walk(int n) {  // expect: stack-overflow
    volatile int own[56];
    own[n & 31] = n;
#ifdef BROKEN
    if (n == 0) return 1;
#else
    if (n <= 0) return 1;
#endif
    return walk(n - 3) + own[n & 31];  // expect: stack-overflow
}

__global__ void add_up(int* y) {
    __syncthreads();
    if (threadIdx.x == 5) *y = walk(10);
    __syncthreads();
}

int main() {
    Array<int> y(1, 0);
    add_up<<<1, 64>>>(y);
    return differs(y[0], 1 + 10 + 7 + 4 + 1);
}
