// A kernel that may begin before the one ahead of it has ended reads what that one writes, and waits too late.
#include "../arrays.h"

__global__ void square(const int* x, int* y) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] * x[i];  // expect: unordered, other
    cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void add(const int* y, const int* x, int* z) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const int mine = x[i];  // of nobody's making
#ifndef BROKEN
    cudaGridDependencySynchronize();
#endif
    const int theirs = y[i];  // expect: unordered
    cudaGridDependencySynchronize();
    z[i] = mine + theirs;
}

int main() {
    Array<int> x(128, [](int i) { return i; }), y(128), z(128);
    square<<<2, 64>>>(x, y);
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 2;
    config.blockDim = 64;
    config.attrs = &early;
    config.numAttrs = 1;
    const int *squares = y, *numbers = x;
    int* sums = z;
    check(cudaLaunchKernelEx(&config, add, squares, numbers, sums));
    return differs(z[9], x[9] * x[9] + x[9]);
}
