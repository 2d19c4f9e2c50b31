// A scan in shared memory goes up a tree and down again, and on its way down it has no barriers.
#include "../arrays.h"

__global__ void exclusive_scan(const int* x, int* y) {
    __shared__ int tree[128];
    const unsigned t = threadIdx.x, n = 128;
    tree[2 * t] = x[2 * t];
    tree[2 * t + 1] = x[2 * t + 1];
    for (unsigned d = n / 2, offset = 1; d > 0; d /= 2, offset *= 2) {
        __syncthreads();
        if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];  // may: race
    }
    if (t == 0) tree[n - 1] = 0;  // may: race
    for (unsigned d = 1, offset = n / 2; d < n; d *= 2, offset /= 2) {
#ifndef BROKEN
        __syncthreads();
#endif
        if (t < d) {
            const unsigned left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            const int kept = tree[left];  // expect: race
            tree[left] = tree[right];     // expect: race
            tree[right] += kept;          // expect: race, other
        }
    }
    __syncthreads();
    y[2 * t] = tree[2 * t];
    y[2 * t + 1] = tree[2 * t + 1];
}

int main() {
    Array<int> x(128, 1), y(128);
    exclusive_scan<<<1, 64>>>(x, y);
    return differs(y[127], 127);
}
