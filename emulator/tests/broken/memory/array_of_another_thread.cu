// Threads give each other pointers to their own local arrays.
#include "../arrays.h"

__global__ void neighbours(const int* x, int* y) {
    __shared__ const int* found[32];
    __shared__ int values[32][4];
    int own[4];
    const int t = threadIdx.x;
    for (int i = 0; i < 4; ++i) own[i] = values[t][i] = x[t] + i;
#ifdef BROKEN
    found[t] = own;
#else
    found[t] = values[t];
#endif
    __syncthreads();
    const int* other = found[(t + 1) % 32];
    y[t] = other[t % 4] + own[t % 4];  // expect: out-of-bounds
}

int main() {
    Array<int> x(32, 5), y(32);
    neighbours<<<1, 32>>>(x, y);
    return differs(y[3], 2 * (5 + 3));
}
