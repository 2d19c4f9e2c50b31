// One warp fills the slots of a ring, the other empties them. The counters are atomic, but nothing keeps a slot's value
// before the count that announces it.
#include "../arrays.h"

constexpr int slots = 4;

struct Ring {
    int values[slots];
    int filled, emptied;
};

__global__ void pass_on(const int* x, int* y, int n) {
    __shared__ Ring ring;
    if (threadIdx.x == 0) ring.filled = ring.emptied = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < n; ++i) {
            while (i - atomicAdd(&ring.emptied, 0) >= slots) continue;
            ring.values[i % slots] = x[i];  // expect: race
#ifndef BROKEN
            __threadfence_block();
#endif
            atomicExch(&ring.filled, i + 1);
        }
    } else if (threadIdx.x == 32) {
        for (int i = 0; i < n; ++i) {
            while (atomicAdd(&ring.filled, 0) <= i) continue;
#ifndef BROKEN
            __threadfence_block();
#endif
            y[i] = 2 * ring.values[i % slots];  // expect: race, other
#ifndef BROKEN
            __threadfence_block();
#endif
            atomicExch(&ring.emptied, i + 1);
        }
    }
}

int main() {
    const int n = 23;
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(n);
    pass_on<<<1, 64>>>(x, y, n);
    return differs(y[n - 1], 44);
}
