// Two buffers in device memory take turns; the step reads the one that is still empty.
#include "../arrays.h"

__global__ void step(const int* from, int* to, int n) {
    const int i = threadIdx.x;
    to[i] = from[i] + from[(i + 1) % n];  // expect: uninitialised
}

int main() {
    const int n = 32;
    Array<int> a(n, [](int i) { return i; });
    Array<int> b(n);
#ifdef BROKEN
    step<<<1, n>>>(b, a, n);
    step<<<1, n>>>(a, b, n);
#else
    step<<<1, n>>>(a, b, n);
    step<<<1, n>>>(b, a, n);
#endif
    return differs(a[0], 4);
}
