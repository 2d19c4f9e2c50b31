// All threads store, then a barrier, a fence and one atomic for the block; all threads of the last block read.
#include "../arrays.h"

__global__ void sum(const int* x, int* parts, unsigned* count, int* result) {
    __shared__ bool last;
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    parts[i] = x[i] * x[i];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last) return;
    int total = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) total += parts[block * blockDim.x + t];
    atomicAdd(result, total);
}

int main() {
    const int n = 128;
    Array<int> x(n, [](int i) { return i; });
    Array<int> parts(n);
    Array<unsigned> count(1, 0);
    Array<int> result(1, 0);
    sum<<<4, 32>>>(x, parts, count, result);
    return differs(result[0], 690880);
}
