// Each thread writes four elements, and the next one begins three further on.
#include "../arrays.h"

__global__ void spread(const int* x, int* y) {
    const int i = threadIdx.x;
#ifdef BROKEN
    const int row = 3 * i;
#else
    const int row = 4 * i;
#endif
    y[row] = x[i];  // expect: race, other
    y[row + 1] = 2 * x[i];
    y[row + 2] = 3 * x[i];
    // says: Two threads write the same element: often an index is wrong.
    // says: If the one is to come before the other, a __syncthreads() is missing between them.
    y[row + 3] = 4 * x[i];  // expect: race
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> y(256);
    spread<<<1, 64>>>(x, y);
    return differs(y[6], 3);
}
