// The second of three kernels lets the third one begin before it has itself waited for the first one.
#include "../arrays.h"

__global__ void square(const int* x, int* y) {
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];  // expect: unordered, other
}

__global__ void sum(const int* y, int* total) {
#ifdef BROKEN
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
#else
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
    atomicAdd(total, y[threadIdx.x]);
}

__global__ void subtract_mean(const int* y, const int* total, int* z) {
    const int mine = y[threadIdx.x];  // expect: unordered
    cudaGridDependencySynchronize();
    z[threadIdx.x] = mine - *total / 64;
}

int main() {
    Array<int> x(64, [](int i) { return i; }), y(64), total(1, 0), z(64);
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 1;
    config.blockDim = 64;
    config.attrs = &early;
    config.numAttrs = 1;
    const int *squares = y, *p_total = total;
    int *to = total, *differences = z;
    square<<<1, 64>>>(x, y);
    check(cudaLaunchKernelEx(&config, sum, squares, to));
    check(cudaLaunchKernelEx(&config, subtract_mean, squares, p_total, differences));
    return differs(z[9], y[9] - total[0] / 64);
}
