// One thread a block stores a sum, a fence, an atomic counter: who counts last reads the sums, which are volatile.
#include "../arrays.h"

__global__ void sum(const int* x, volatile int* sums, unsigned* count, int* result) {
    __shared__ bool last;
    __shared__ int cache[32];
    const int t = threadIdx.x;
    cache[t] = x[32 * blockIdx.x + t];
    __syncthreads();
    if (t == 0) {
        int total = 0;
        for (int i = 0; i < 32; ++i) total += cache[i];
        sums[blockIdx.x] = total;
        __threadfence();
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int total = 0;
        for (unsigned i = 0; i < gridDim.x; ++i) total += sums[i];
        *result = total;
        *count = 0;
    }
}

int main() {
    Array<int> x(256, [](int i) { return i; });
    Array<int> sums(8);
    Array<unsigned> count(1, 0);
    Array<int> result(1);
    for (int launch = 0; launch < 2; ++launch) sum<<<8, 32>>>(x, sums, count, result);
    return differs(result[0], 32640);
}
