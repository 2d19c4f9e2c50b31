// The threads go through the loop three or four times, and there is a barrier in it.
#include "../arrays.h"

__global__ void sum(const int* x, int n, int* result) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
#ifdef BROKEN
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        atomicAdd(&total, x[i]);
        __syncthreads();  // expect: divergent-barrier
    }
#else
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&total, x[i]);
#endif
    __syncthreads();  // may: divergent-barrier
    if (threadIdx.x == 0) *result = total;
}

int main() {
    const int n = 200;
    Array<int> x(n, [](int i) { return i; });
    Array<int> result(1);
    sum<<<1, 64>>>(x, n, result);
    return differs(result[0], 19900);
}
