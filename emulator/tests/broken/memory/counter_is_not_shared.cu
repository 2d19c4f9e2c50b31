// The block's counter is a local variable of each thread: __shared__ was forgotten.
#include "../arrays.h"

__global__ void count(const int* x, int* found, int n) {
#ifdef BROKEN
    int counter = 0;
#else
    __shared__ int counter;
    if (threadIdx.x == 0) counter = 0;
    __syncthreads();
#endif
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (x[i] >= 0) atomicAdd(&counter, 1);  // expect: out-of-bounds
    __syncthreads();
    if (threadIdx.x == 0) *found = counter;
}

int main() {
    const int n = 100;
    Array<int> x(n, [](int i) { return i % 9; }), found(1);
    count<<<1, 32>>>(x, found, n);
    check(cudaDeviceSynchronize());
    return differs(int(found[0]), n);
}
