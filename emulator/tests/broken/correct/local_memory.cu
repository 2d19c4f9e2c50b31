// Local arrays, filled in loops, handed to functions, and a recursion that ends.
#include "../arrays.h"

__device__ void insert(int* sorted, int size, int value) {
    int i = size;
    for (; i > 0 && sorted[i - 1] > value; --i) sorted[i] = sorted[i - 1];
    sorted[i] = value;
}

__device__ int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
}

__global__ void median(const int* x, int* y) {
    int sorted[7];
    for (int i = 0; i < 7; ++i) insert(sorted, i, x[7 * threadIdx.x + i]);
    y[threadIdx.x] = gcd(sorted[3], 360);
}

int main() {
    Array<int> x(7 * 32, [](int i) { return i * 37 % 101; });
    Array<int> y(32);
    median<<<1, 32>>>(x, y);
    return differs(y[0], 1);  // of 0 37 74 10 47 84 20
}
