// A block that has nothing to do returns before the barrier, with all of its threads.
#include "../arrays.h"

__global__ void reverse(int* x, int n) {
    __shared__ int cache[32];
    const int t = threadIdx.x, block = blockIdx.x, i = 32 * block + t;
    if (32 * block >= n) return;
    cache[t] = x[i];
    __syncthreads();
    x[i] = cache[31 - t];
}

int main() {
    const int n = 64;
    Array<int> x(n, [](int i) { return i; });
    reverse<<<4, 32>>>(x, n);
    return differs(x[32], 63);
}
