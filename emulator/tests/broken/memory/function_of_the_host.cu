// The host gives the kernel the address that a function has in host code, and asks the device for none.
#include "../arrays.h"

using Function = int (*)(int);

__host__ __device__ int doubled(int x) {
    return 2 * x;
}
__device__ Function chosen = doubled;

__global__ void apply(Function function, const int* x, int* y) {  // expect: device-touches-host
    y[threadIdx.x] = function(x[threadIdx.x]);
}

int main() {
    Array<int> x(40, [](int i) { return i; }), y(40);
    Function function = doubled;
#ifndef BROKEN
    check(cudaMemcpyFromSymbol(&function, chosen, sizeof function));
#endif
    apply<<<1, 40>>>(function, x, y);
    check(cudaDeviceSynchronize());
    return differs(int(y[39]), doubled(int(x[39])));
}
