// The recursion ends at 0 only, and steps over it.
#include "../arrays.h"

__device__ int fibonacci(int n) {  // expect: stack-overflow
#ifdef BROKEN
    if (n == 0) return 0;
#else
    if (n < 2) return n;
#endif
    return fibonacci(n - 1) + fibonacci(n - 2);  // expect: stack-overflow
}

__global__ void compute(int* y) {
    *y = fibonacci(10);
}

int main() {
    Array<int> y(1);
    compute<<<1, 1>>>(y);
    return differs(y[0], 55);
}
