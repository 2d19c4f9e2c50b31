// The tree's last 32 sums are left to one warp, without any synchronisation, as people did before Volta.
#include "../arrays.h"

__global__ void sum(const int* x, int* result) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = x[t];
    __syncthreads();
    if (t < 32) {
        for (int step = 32; step > 0; step /= 2) {
            const int other = t < step ? cache[t + step] : 0;  // expect: race
#ifndef BROKEN
            __syncwarp();
#endif
            cache[t] += other;  // expect: race, other
#ifndef BROKEN
            __syncwarp();
#endif
        }
    }
    if (t == 0) *result = cache[0];
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> result(1);
    sum<<<1, 64>>>(x, result);
    return differs(result[0], 2016);
}
