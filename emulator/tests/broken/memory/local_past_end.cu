// A thread counts the remainders 0 ... 4 in an array for four.
#include "../arrays.h"

__global__ void most_frequent(const int* x, int n, int* y) {
#ifdef BROKEN
    int count[4] = {};
#else
    int count[5] = {};
#endif
    for (int i = threadIdx.x; i < n; i += blockDim.x) ++count[x[i] % 5];  // expect: out-of-bounds
    int best = 0;
    for (int i = 1; i < 4; ++i)
        if (count[i] > count[best]) best = i;
    y[threadIdx.x] = best;
}

int main() {
    const int n = 200;
    // data: as-is, random: one of them is the wrong index
    Array<int> x(n, [](int i) { return i % 3 == 0 ? 5 * i + 2 : i; });
    Array<int> y(n);
    most_frequent<<<1, 8>>>(x, n, y);
    return differs(y[0], 2);
}
