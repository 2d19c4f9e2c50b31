// A fence orders the memory operations of one thread and waits for nobody.
#include "../arrays.h"

__global__ void reverse(int* x) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = x[t];  // expect: race
#ifdef BROKEN
    __threadfence_block();
#else
    __syncthreads();
#endif
    x[t] = cache[63 - t];  // expect: race, other
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    reverse<<<1, 64>>>(x);
    return differs(x[0], 63);
}
