// What was never written stays so when it is copied to another place on the device.
#include "../arrays.h"

__global__ void fill(int* x, int n) {
    const int i = threadIdx.x;
    if (i < n) x[i] = i;
}

__global__ void negate(int* x) {
    x[threadIdx.x] = -x[threadIdx.x];  // expect: uninitialised
}

int main() {
    const int n = 64;
    Array<int> x(n);
    Array<int> y(n);
#ifdef BROKEN
    fill<<<1, 64>>>(x, n / 2);
#else
    fill<<<1, 64>>>(x, n);
#endif
    cudaMemcpy(y, x, n * sizeof(int), cudaMemcpyDeviceToDevice);
    negate<<<1, n>>>(y);
    return differs(y[n - 1], -63);
}
