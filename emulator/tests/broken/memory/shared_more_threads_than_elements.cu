// The array is for 128 threads, the launch has 256.
#include "../arrays.h"

__global__ void reverse(int* x) {
    __shared__ int cache[128];
    const int t = threadIdx.x;
    cache[t] = x[t];  // expect: out-of-bounds
    __syncthreads();
    x[t] = cache[blockDim.x - 1 - t];  // may: out-of-bounds
}

int main() {
    Array<int> x(256, [](int i) { return i; });
#ifdef BROKEN
    reverse<<<1, 256>>>(x);
#else
    reverse<<<1, 128>>>(x);
#endif
    return differs(x[0], 127);
}
