// A row of the matrix for each blockIdx.y, and there are more rows than gridDim.y can count.
#include "../arrays.h"

__global__ void fill(unsigned char* x, int rows) {
    for (int row = blockIdx.y; row < rows; row += gridDim.y) x[row] = row % 100;
}

int main() {
    const int rows = 70000;
    Array<unsigned char> x(rows, 0);
#ifdef BROKEN
    const dim3 grid(1, rows);
#else
    const dim3 grid(1, 1000);
#endif
    fill<<<grid, 1>>>(x, rows);  // expect: refused-launch
    return differs(x[rows - 1], 99);
}
