// Neighbours are exchanged in phases; without a barrier a phase begins before the last one has ended.
#include "../arrays.h"

__global__ void sort(int* x, int n) {
    __shared__ int a[64];
    const int t = threadIdx.x;
    a[t] = x[t];
    a[t + 32] = x[t + 32];
    __syncthreads();
    for (int phase = 0; phase < n; ++phase) {
        const int i = 2 * t + phase % 2;
        if (i + 1 < n) {
            const int left = a[i], right = a[i + 1];  // expect: race
            a[i] = min(left, right);                  // may: race
            a[i + 1] = max(left, right);              // expect: race, other
        }
#ifndef BROKEN
        __syncthreads();
#endif
    }
    __syncthreads();
    x[t] = a[t];
    x[t + 32] = a[t + 32];
}

int main() {
    Array<int> x(64, [](int i) { return 63 - i; });
    sort<<<1, 32>>>(x, 64);
    return differs(x[0], 0) || differs(x[63], 63);
}
