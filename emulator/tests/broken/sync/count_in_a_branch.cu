// __syncthreads_count() is a barrier, too.
#include "../arrays.h"

__global__ void positive(const int* x, int n, int* result) {
    const int t = threadIdx.x;
    int count = 0;
#ifdef BROKEN
    if (t < n) count = __syncthreads_count(x[t] > 0);  // expect: divergent-barrier
#else
    count = __syncthreads_count(t < n && x[t] > 0);
#endif
    if (t == 0) *result = count;
}

int main() {
    const int n = 50;
    Array<int> x(n, [](int i) { return i - 20; });
    Array<int> result(1);
    positive<<<1, 64>>>(x, n, result);
    return differs(result[0], 29);
}
