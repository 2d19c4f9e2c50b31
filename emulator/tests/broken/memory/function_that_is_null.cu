// The host gives the kernel a pointer to a function that it has not asked the device for.
#include "../arrays.h"

using Function = int (*)(int);

__device__ int doubled(int x) {
    return 2 * x;
}
__device__ Function chosen = doubled;

__global__ void apply(Function function, const int* x, int* y) {
    y[threadIdx.x] = function(x[threadIdx.x]);  // expect: out-of-bounds
}

int main() {
    Array<int> x(40, [](int i) { return i; }), y(40);
    Function function = nullptr;
#ifndef BROKEN
    check(cudaMemcpyFromSymbol(&function, chosen, sizeof function));
#endif
    apply<<<1, 40>>>(function, x, y);
    check(cudaDeviceSynchronize());
    return differs(int(y[39]), 2 * int(x[39]));
}
