// Threads count what they find in a volatile variable: ++ is a load and a store all the same.
#include "../arrays.h"

__global__ void count_large(const int* x, int* found, int n) {
    __shared__ volatile int counter;
    if (threadIdx.x == 0) counter = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        if (x[i] < 0) continue;
#ifdef BROKEN
        counter++;  // expect: race
#else
        atomicAdd(const_cast<int*>(&counter), 1);
#endif
    }
    __syncthreads();
    if (threadIdx.x == 0) *found = counter;
}

int main() {
    const int n = 200;
    Array<int> x(n, [](int i) { return i % 7; }), found(1, 0);
    count_large<<<1, 64>>>(x, found, n);
    check(cudaDeviceSynchronize());
    return differs(int(found[0]), n);
}
