// Thread 0 announces the next step while others still read the last announcement.
#include "../arrays.h"

__global__ void walk(const int* steps, int n, int* x) {
    __shared__ int step;
    const int t = threadIdx.x;
    int place = t;
    for (int i = 0; i < n; ++i) {
        if (t == 0) step = steps[i];  // expect: race
        __syncthreads();
        place += step;  // expect: race, other
#ifndef BROKEN
        __syncthreads();
#endif
    }
    x[t] = place;
}

int main() {
    const int powers[] = {1, 10, 100, 1000, 10000};
    Array<int> steps(5, [&](int i) { return powers[i]; });
    Array<int> x(64);
    walk<<<1, 64>>>(steps, 5, x);
    return differs(x[63], 11174);
}
