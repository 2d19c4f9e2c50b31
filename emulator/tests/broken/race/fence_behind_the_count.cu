// Each block counts itself first and has its fence then: the fence comes too late for the sum that was stored before.
#include "../arrays.h"

__device__ int partial[16];
__device__ unsigned done = 0;

__global__ void sum(const int* x, int n, int* result) {
    __shared__ int total;
    __shared__ bool last;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&total, x[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = total;  // expect: race
#ifndef BROKEN
        __threadfence();
#endif
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last) return;
    for (int step = gridDim.x / 2; step > 0; step /= 2) {
        if (static_cast<int>(threadIdx.x) < step)
            partial[threadIdx.x] += partial[threadIdx.x + step];  // expect: race, other
        __syncthreads();
    }
    if (threadIdx.x == 0) *result = partial[0];  // may: race
}

int main() {
    const int n = 1000;
    Array<int> x(n, [](int i) { return i; });
    Array<int> result(1);
    sum<<<16, 32>>>(x, n, result);
    return differs(result[0], 499500);
}
