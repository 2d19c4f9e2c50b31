// Thread 0 counts its block as done while other threads of the block have not stored yet.
#include "../arrays.h"

__global__ void sum(const int* x, int* parts, unsigned* count, int* result) {
    __shared__ bool last;
    const int t = threadIdx.x;
    parts[32 * blockIdx.x + t] = 2 * x[32 * blockIdx.x + t];  // expect: race
    __threadfence();
#ifndef BROKEN
    __syncthreads();
#endif
    if (t == 0) last = atomicAdd(count, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last || t > 0) return;
    __threadfence();
    int total = 0;
    for (unsigned i = 0; i < 32 * gridDim.x; ++i) total += parts[i];  // expect: race, other
    *result = total;
}

int main() {
    const int n = 128;
    Array<int> x(n, [](int i) { return i; });
    Array<int> parts(n);
    Array<unsigned> count(1, 0);
    Array<int> result(1);
    sum<<<4, 32>>>(x, parts, count, result);
    return differs(result[0], 16256);
}
