// The index of a matrix that is not square is made with its height instead of its width.
#include "../arrays.h"

__global__ void fill(int* matrix, int rows, int columns) {
    const int column = threadIdx.x, row = threadIdx.y;
#ifdef BROKEN
    if (row < rows && column < columns) matrix[column * columns + row] = row;  // expect: out-of-bounds
#else
    if (row < rows && column < columns) matrix[row * columns + column] = row;
#endif
}

int main() {
    const int rows = 5, columns = 20;
    Array<int> matrix(rows * columns);
    fill<<<1, dim3(32, 8)>>>(matrix, rows, columns);
    return differs(matrix[rows * columns - 1], 4);
}
