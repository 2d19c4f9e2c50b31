// Few numbers go into an array of the thread's own, more are allocated; both are freed.
#include "../arrays.h"

__device__ void give_back(int* numbers) {
    std::free(numbers);  // expect: invalid-free
}

__global__ void sum(int n, int* y) {
    int few[8];
    int* numbers = n <= 8 ? few : static_cast<int*>(std::malloc(n * sizeof(int)));
    for (int i = 0; i < n; ++i) numbers[i] = i;
    int total = 0;
    for (int i = 0; i < n; ++i) total += numbers[i];
    *y = total;
#ifndef BROKEN
    if (numbers != few)
#endif
        give_back(numbers);
}

int main() {
    Array<int> y(1, 0);
    sum<<<1, 1>>>(8, y);
    return differs(y[0], 28);
}
