// A recursion steps over its end, in a function whose brace stands in a line of its own, below its name.
#include "../arrays.h"

// clang-format off

__device__ int sum_to(int n,  // expect: stack-overflow
                      int step)
{
#ifdef BROKEN
    if (n == 0) return 0;
#else
    if (n <= 0) return 0;
#endif
    return n + sum_to(n - step, step) + sum_to(n - step - 1, step);  // may: stack-overflow
}
// clang-format on

__global__ void compute(int* y) {
    *y = sum_to(3, 2);
}

int main() {
    Array<int> y(1);
    compute<<<1, 1>>>(y);
    return differs(y[0], 4);
}
