// <= where < belongs.
#include "../arrays.h"

__global__ void sum(const int* x, int n, int* result) {
    int total = 0;
#ifdef BROKEN
    for (int i = 0; i <= n; ++i)
#else
    for (int i = 0; i < n; ++i)
#endif
        total += x[i];  // expect: out-of-bounds
    *result = total;
}

int main() {
    const int n = 33;
    Array<int> x(n, [](int i) { return i; });
    Array<int> result(1);
    sum<<<1, 1>>>(x, n, result);
    return differs(result[0], 528);
}
