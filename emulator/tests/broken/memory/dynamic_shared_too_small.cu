// The launch asks for as many bytes as there are threads, and not for as many ints.
#include "../arrays.h"

__global__ void reverse(int* x) {
    extern __shared__ int cache[];
    const int t = threadIdx.x;
    cache[t] = x[t];  // expect: out-of-bounds
    __syncthreads();
    x[t] = cache[blockDim.x - 1 - t];  // may: out-of-bounds
}

int main() {
    const int n = 100;
    Array<int> x(n, [](int i) { return i; });
#ifdef BROKEN
    reverse<<<1, n, n>>>(x);
#else
    reverse<<<1, n, n * sizeof(int)>>>(x);
#endif
    return differs(x[0], n - 1);
}
