// A tree with a barrier before it and one between any two steps.
#include "../arrays.h"

__global__ void sum(const int* x, int n, int* result) {
    __shared__ int cache[128];
    const int t = threadIdx.x;
    int mine = 0;
    for (int i = t; i < n; i += blockDim.x) mine += x[i];
    cache[t] = mine;
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        __syncthreads();
        if (t < step) cache[t] += cache[t + step];
    }
    if (t == 0) *result = cache[0];
}

int main() {
    const int n = 333;
    Array<int> x(n, [](int i) { return i; });
    Array<int> result(1);
    sum<<<1, 128>>>(x, n, result);
    return differs(result[0], 55278);
}
