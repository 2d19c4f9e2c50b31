// A kernel updates the weights that the next launch shall use, which lie in constant memory.
#include "../arrays.h"

#ifdef BROKEN
__constant__ float weights[8];
#else
__device__ float weights[8];
#endif

__global__ void learn(const float* x, float rate) {
    float* w = const_cast<float*>(weights);
    w[threadIdx.x] += rate * x[threadIdx.x];  // expect: out-of-bounds
}

int main() {
    Array<float> x(8, [](int i) { return i; });
    const float before[8] = {};
    check(cudaMemcpyToSymbol(weights, before, sizeof before));
    learn<<<1, 8>>>(x, 0.5f);
    float after[8];
    check(cudaMemcpyFromSymbol(after, weights, sizeof after));
    return differs(after[7], 3.5f);
}
