// One warp puts work into a queue, another one takes it out and looks for that at the length, before the first has
// finished.
#include "../arrays.h"

__global__ void pass_on(const int* x, int n, int* queue, int* length, int* sums) {
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = lane; i < n; i += 32)
            if (x[i] >= 0) queue[atomicAdd(length, 1)] = x[i];  // expect: race
    }
#ifndef BROKEN
    __syncthreads();
#endif
    if (threadIdx.x >= 32) {
        int sum = 0;
        for (int i = lane; i < *length; i += 32) sum += queue[i];  // expect: race, other
        sums[lane] = sum;
    }
}

int main() {
    const int n = 100;
    Array<int> x(n, [](int i) { return i; });
    Array<int> queue(n, 0);
    Array<int> length(1, 0);
    Array<int> sums(32);
    pass_on<<<1, 64>>>(x, n, queue, length, sums);
    int sum = 0;
    for (int i = 0; i < 32; ++i) sum += sums[i];
    return differs(sum, 4950);
}
