// Threads without an element return at once; the others wait for them at the barrier.
#include "../arrays.h"

__global__ void reverse(int* x, int n) {
    __shared__ int cache[128];
    const int t = threadIdx.x;
#ifdef BROKEN
    if (t >= n) return;
    cache[t] = x[t];
    __syncthreads();  // expect: divergent-barrier
    x[t] = cache[n - 1 - t];
#else
    if (t < n) cache[t] = x[t];
    __syncthreads();
    if (t < n) x[t] = cache[n - 1 - t];
#endif
}

int main() {
    const int n = 100;
    Array<int> x(n, [](int i) { return i; });
    reverse<<<1, 128>>>(x, n);
    return differs(x[0], n - 1);
}
