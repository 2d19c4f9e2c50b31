// A table in constant memory is asked for a value that was to be reduced to 0 ... 15 first.
#include "../arrays.h"

__constant__ int table[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};

__global__ void look_up(int* y, int factor) {
    const int value = threadIdx.x * factor;
#ifdef BROKEN
    y[threadIdx.x] = table[value];  // expect: out-of-bounds
#else
    y[threadIdx.x] = table[value % 16];
#endif
}

int main() {
    Array<int> y(32);
    look_up<<<1, 32>>>(y, 100'003);
    return differs(y[1], 9);
}
