// An insertion sort in a local array asks for the value in front of the first before it asks whether there is one.
#include "../arrays.h"

__global__ void median(const int* x, int* y) {
    int sorted[5];
    for (int i = 0; i < 5; ++i) {
        const int value = x[5 * threadIdx.x + i];
        int j = i;
#ifdef BROKEN
        while (sorted[j - 1] > value && j > 0) {  // expect: out-of-bounds
#else
        while (j > 0 && sorted[j - 1] > value) {
#endif
            sorted[j] = sorted[j - 1];
            --j;
        }
        sorted[j] = value;
    }
    y[threadIdx.x] = sorted[2];
}

int main() {
    Array<int> x(160, [](int i) { return i * 7 % 11; });
    Array<int> y(160);
    median<<<1, 32>>>(x, y);
    return differs(y[0], 6);  // of 0 7 3 10 6
}
