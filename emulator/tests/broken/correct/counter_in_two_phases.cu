// A shared counter: plain store, barrier, atomics, barrier, plain load, barrier, and once more.
#include "../arrays.h"

__global__ void rounds(const int* x, int* y) {
    __shared__ int count;
    const int t = threadIdx.x;
    for (int limit = 0; limit < 4; ++limit) {
        if (t == 0) count = 0;
        __syncthreads();
        if (x[t] > 16 * limit) atomicAdd(&count, 1);
        __syncthreads();
        if (t == limit) y[limit] = count;
        __syncthreads();
    }
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> y(4);
    rounds<<<1, 64>>>(x, y);
    return differs(y[0], 63) || differs(y[3], 15);
}
