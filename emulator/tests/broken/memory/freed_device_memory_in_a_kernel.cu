// A kernel that has allocated nothing itself frees what is from cudaMalloc().
#include "../arrays.h"

__global__ void consume(int* x, int* y) {
    *y = x[0] + 1;
#ifdef BROKEN
    std::free(x);  // expect: invalid-free
#endif
}

int main() {
    Array<int> x(32, 4), y(1, 0);
    consume<<<1, 1>>>(x, y);
    return differs(y[0], 5);
}
