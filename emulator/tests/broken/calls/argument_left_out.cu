// cudaLaunchKernel() gets an array with a null pointer where the address of the kernel's last argument should be.
#include "../arrays.h"

__global__ void scale(float* x, float factor, int n) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < n) x[i] *= factor;
}

int main() {
    Array<float> x(64, 4);
    float *pointer = x, factor = 2;
    int n = 64;
    void* arguments[3] = {&pointer, &factor};
#ifndef BROKEN
    arguments[2] = &n;
#endif
    cudaLaunchKernel(reinterpret_cast<const void*>(scale), 1, 64, arguments, 0, nullptr);  // expect: failed-call
    return differs(x[63], 8 * (n / 64));
}
