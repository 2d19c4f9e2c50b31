// One shared array is written past its end; what lies there is the next array, and no memory that nobody has.
#include "../arrays.h"

__global__ void fill(int* y) {
    __shared__ int first[32], second[32];
    const int t = threadIdx.x;
    first[t] = 1;
    second[t] = 2;
    __syncthreads();
#ifdef BROKEN
    first[t + 1] = 3;  // expect: out-of-bounds
#else
    first[(t + 1) % 32] = 3;
#endif
    __syncthreads();
    y[t] = first[t] + second[t];
}

int main() {
    Array<int> y(32);
    fill<<<1, 32>>>(y);
    return differs(y[0], 5);
}
