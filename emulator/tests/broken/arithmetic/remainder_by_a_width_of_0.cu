// A row and a column are made of an index, with the width of a picture that has none.
#include "../arrays.h"

__global__ void mark_diagonal(unsigned char* picture, unsigned width, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned row = i / width, column = i % width;  // expect: division-by-zero
    picture[i] = row == column;
}

int main() {
    const unsigned n = 100;
#ifdef BROKEN
    const unsigned width = 0;
#else
    const unsigned width = 10;
#endif
    Array<unsigned char> picture(n);
    mark_diagonal<<<1, 128>>>(picture, width, n);
    return differs(picture[55], 1);
}
