// The lanes that have an element are found by a vote of all, and only they go on.
#include "../arrays.h"

__global__ void sum(const int* x, int n, int* result) {
    const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned mask = __ballot_sync(0xffffffff, i < n);
    if (i >= n) return;
    int value = x[i];
    for (int step = 16; step > 0; step /= 2) {
        const int from = lane + step;
        const int other = __shfl_sync(mask, value, mask >> (from % 32) & 1 ? from % 32 : lane);
        if (from < 32 && mask >> from & 1) value += other;
    }
    if (lane == 0) atomicAdd(result, value);
}

int main() {
    const int n = 83;
    Array<int> x(n, [](int i) { return i; });
    Array<int> result(1, 0);
    sum<<<2, 64>>>(x, n, result);
    return differs(result[0], 3403);
}
