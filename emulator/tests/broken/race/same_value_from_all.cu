// All threads of a pair store what they have loaded. Where that is the same it goes well, and the next input is
// another.
#include "../arrays.h"

__global__ void pairs(const int* x, int* y) {
    __shared__ int first[32];
    const int t = threadIdx.x;
#ifdef BROKEN
    first[t / 2] = x[t];  // expect: race
#else
    if (t % 2 == 0) first[t / 2] = x[t];
#endif
    __syncthreads();
    y[t] = first[t / 2];
}

int main() {
    Array<int> x(64, [](int i) { return i / 2; });
    Array<int> y(64);
    pairs<<<1, 64>>>(x, y);
    return differs(y[63], 31);
}
