// What the kernel takes for granted does not hold, and the program does not wait for it.
#include <cassert>

#include "../arrays.h"

__global__ void root(const float* x, float* y) {
    assert(x[threadIdx.x] >= 0);  // expect: assertion
    y[threadIdx.x] = sqrtf(x[threadIdx.x]);
}

int main() {
#ifdef BROKEN
    float x[32] = {1, 4, -1};
#else
    float x[32] = {1, 4, 1};
#endif
    float *on_device, *roots;
    check(cudaMalloc(&on_device, sizeof x));
    check(cudaMalloc(&roots, sizeof x));
    check(cudaMemcpy(on_device, x, sizeof x, cudaMemcpyHostToDevice));
    root<<<1, 32>>>(on_device, roots);
    cudaMemcpy(x, roots, sizeof x, cudaMemcpyDeviceToHost);
    cudaFree(on_device);
    cudaFree(roots);
    return differs(x[1], x[1]);
}
