// Warp 0 adds up what the other warps have left, if they have.
#include "../arrays.h"

__device__ int warp_sum(int value) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
    return value;
}

__global__ void sum(const int* x, int* result) {
    __shared__ int sums[4];
    const int t = threadIdx.x;
    const int mine = warp_sum(x[t]);
    if (t % 32 == 0) sums[t / 32] = mine;  // expect: race
#ifndef BROKEN
    __syncthreads();
#endif
    if (t < 32) {
        const int total = warp_sum(t < 4 ? sums[t] : 0);  // expect: race, other
        if (t == 0) *result = total;
    }
}

int main() {
    Array<int> x(128, [](int i) { return i; });
    Array<int> result(1);
    sum<<<1, 128>>>(x, result);
    return differs(result[0], 8128);
}
