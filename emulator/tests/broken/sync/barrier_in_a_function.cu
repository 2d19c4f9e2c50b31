// The barrier is hidden in a function that only the first thread calls.
#include "../arrays.h"

__device__ void publish(int* place, int value) {
    if (threadIdx.x == 0) *place = value;  // may: race
    __syncthreads();                       // expect: divergent-barrier
}

__global__ void fill(int* x) {
    __shared__ int value;
#ifdef BROKEN
    if (threadIdx.x == 0) publish(&value, 7);
#else
    publish(&value, 7);
#endif
    x[threadIdx.x] = value;  // may: race, uninitialised
}

int main() {
    Array<int> x(64);
    fill<<<1, 64>>>(x);
    return differs(x[63], 7);
}
