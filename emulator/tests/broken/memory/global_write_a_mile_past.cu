// The index is multiplied by the width once more than it should be.
#include "../arrays.h"

__global__ void fill(int* x, int width) {
    const int row = blockIdx.x, column = threadIdx.x;
#ifdef BROKEN
    x[row * width * width + column * width] = row + column;  // expect: out-of-bounds
#else
    x[row * width + column] = row + column;
#endif
}

int main() {
    const int width = 256, rows = 3;
    Array<int> x(rows * width);
    fill<<<rows, width>>>(x, width);
    return differs(x[rows * width - 1], 257);
}
