// Blocks take their work from an atomic counter; each piece is one block's alone.
#include "../arrays.h"

__global__ void work(unsigned* next, const int* x, int* y, unsigned n) {
    __shared__ unsigned piece;
    while (true) {
        __syncthreads();
        if (threadIdx.x == 0) piece = atomicAdd(next, 1u);
        __syncthreads();
        const unsigned i = 32 * piece + threadIdx.x;
        if (32 * piece >= n) return;
        if (i < n) y[i] = x[i] + 1;
    }
}

int main() {
    const unsigned n = 200;
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(n);
    Array<unsigned> next(1, 0);
    work<<<3, 32>>>(next, x, y, n);
    return differs(y[n - 1], static_cast<int>(n));
}
