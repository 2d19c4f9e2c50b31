// A matrix in shared memory is used as one array, and the loop goes one row too far.
#include "../arrays.h"

__global__ void copy(const int* x, int* y) {
    __shared__ int rows[8][32];
    const int t = static_cast<int>(threadIdx.x);
#ifdef BROKEN
    constexpr int n = 9 * 32;
#else
    constexpr int n = 8 * 32;
#endif
    for (int i = t; i < n; i += 32) rows[0][i] = x[i];  // expect: out-of-bounds
    __syncthreads();
    y[t] = rows[7][t];
}

int main() {
    Array<int> x(9 * 32, [](int i) { return i; });
    Array<int> y(32, 0);
    copy<<<1, 32>>>(x, y);
    return differs(y[31], 255);
}
