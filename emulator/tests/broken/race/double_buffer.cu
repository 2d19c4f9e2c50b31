// Two buffers take turns, but the threads write to the one that they read from.
#include "../arrays.h"

__global__ void scan(int* x) {
    __shared__ int buffer[2][64];
    const int t = threadIdx.x;
    int from = 0;
    buffer[0][t] = x[t];
    __syncthreads();
    for (int distance = 1; distance < 64; distance *= 2) {
#ifdef BROKEN
        const int to = from;
#else
        const int to = 1 - from;
#endif
        const int left = t >= distance ? buffer[from][t - distance] : 0;  // expect: race
        buffer[to][t] = buffer[from][t] + left;                           // expect: race, other
        __syncthreads();
        from = to;
    }
    x[t] = buffer[from][t];
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    scan<<<1, 64>>>(x);
    return differs(x[63], 2016);
}
