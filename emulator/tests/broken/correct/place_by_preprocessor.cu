// A table lies in constant memory or not, as the preprocessor decides.
#include "../arrays.h"

#ifdef TABLE_IN_CONSTANT_MEMORY
__constant__
#else
__device__
#endif
    int table[4] = {3, 1, 4, 1};

#if !defined(TABLE_IN_CONSTANT_MEMORY)
static __constant__ float factor = 2;
#else
static __device__ float factor = 2;
#endif

__global__ void look_up(const int* x, float* y) {
    y[threadIdx.x] = factor * static_cast<float>(table[x[threadIdx.x] % 4]);
}

int main() {
    Array<int> x(32, [](int i) { return i; });
    Array<float> y(32);
    look_up<<<1, 32>>>(x, y);
    check(cudaDeviceSynchronize());
    return differs(float(y[30]), 8.0f);
}
