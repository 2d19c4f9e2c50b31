// The launch does not ask for any dynamic shared memory.
#include "../arrays.h"

__global__ void rotate(float* x) {
    extern __shared__ float cache[];
    const int t = threadIdx.x;
    cache[t] = x[t];  // expect: out-of-bounds
    __syncthreads();
    x[t] = cache[(t + 1) % blockDim.x];  // may: out-of-bounds
}

int main() {
    const int n = 48;
    Array<float> x(n, [](int i) { return i; });
#ifdef BROKEN
    rotate<<<1, n>>>(x);
#else
    rotate<<<1, n, n * sizeof(float)>>>(x);
#endif
    return differs(x[0], 1);
}
