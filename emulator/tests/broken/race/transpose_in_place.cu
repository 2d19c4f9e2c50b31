// Both threads of a pair exchange the two elements; one of them would do.
#include "../arrays.h"

__global__ void transpose(int* m, int n) {
    const int row = threadIdx.y, column = threadIdx.x;
#ifdef BROKEN
    if (row != column) {
#else
    if (row < column) {
#endif
        const int above = m[row * n + column];      // may: race
        m[row * n + column] = m[column * n + row];  // expect: race
        m[column * n + row] = above;                // may: race
    }
}

int main() {
    const int n = 8;
    Array<int> m(n * n, [](int i) { return i; });
    transpose<<<1, dim3(n, n)>>>(m, n);
    return differs(m[1], n);
}
