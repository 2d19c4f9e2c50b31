// new and delete in a kernel: memory that a kernel has allocated itself.
#include "../arrays.h"

__global__ void sums(int* y) {
    const int t = threadIdx.x;
    int* list = new int[t + 1];
    for (int i = 0; i <= t; ++i) list[i] = i;
    int sum = 0;
    for (int i = 0; i <= t; ++i) sum += list[i];
    delete[] list;
    y[t] = sum;
}

int main() {
    Array<int> y(32);
    sums<<<1, 32>>>(y);
    return differs(y[31], 496);
}
