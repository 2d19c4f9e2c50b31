// atomicExch() takes a lock, and nobody looks whether it was free.
#include "../arrays.h"

__global__ void add_up(int* lock, const int* values, int* sum) {
    if (threadIdx.x > 0) return;
#ifdef BROKEN
    atomicExch(lock, 1);
#else
    while (atomicExch(lock, 1) != 0) continue;
#endif
    __threadfence();
    *sum += values[blockIdx.x];  // expect: race
    __threadfence();
    atomicExch(lock, 0);
}

int main() {
    Array<int> lock(1, 0), values(8, [](int i) { return 3 * i + 1; }), sum(1, 0);
    add_up<<<8, 32>>>(lock, values, sum);
    int right = 0;
    for (int i = 0; i < 8; ++i) right += values[i];
    return differs(sum[0], right);
}
