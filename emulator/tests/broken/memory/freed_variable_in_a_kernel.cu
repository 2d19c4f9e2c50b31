// Few numbers go into a __device__ array, more are allocated; both are freed.
#include "../arrays.h"

__device__ int few[8];

__global__ void sum(int n, int* y) {
    int* numbers = n <= 8 ? few : static_cast<int*>(std::malloc(n * sizeof(int)));
    for (int i = 0; i < n; ++i) numbers[i] = i;
    *y = 0;
    for (int i = 0; i < n; ++i) *y += numbers[i];
#ifndef BROKEN
    if (numbers != few)
#endif
        std::free(numbers);  // expect: invalid-free
}

int main() {
    Array<int> y(1, 0);
    sum<<<1, 1>>>(8, y);
    return differs(y[0], 28);
}
