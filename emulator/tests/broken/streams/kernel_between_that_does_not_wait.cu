// Three kernels in a row, each of which may begin early: the third one waits for the second one, and that has not
// waited for the first one, whose results the third one reads.
#include "../arrays.h"

__global__ void square(const int* x, int* y) {
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];  // expect: unordered, other
    cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void clear(int* z) {
#ifndef BROKEN
    cudaGridDependencySynchronize();
#endif
    z[threadIdx.x] = 0;
}

__global__ void add(const int* y, int* z) {
    cudaGridDependencySynchronize();
    z[threadIdx.x] += y[threadIdx.x];  // expect: unordered
}

int main() {
    Array<int> x(64, [](int i) { return i; }), y(64), z(64);
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 1;
    config.blockDim = 64;
    config.attrs = &early;
    config.numAttrs = 1;
    const int *numbers = x, *squares = y;
    int *to = y, *sums = z;
    check(cudaLaunchKernelEx(&config, square, numbers, to));
    check(cudaLaunchKernelEx(&config, clear, sums));
    check(cudaLaunchKernelEx(&config, add, squares, sums));
    return differs(z[9], x[9] * x[9]);
}
