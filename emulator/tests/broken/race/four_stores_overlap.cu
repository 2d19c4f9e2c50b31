// Each thread stores four floats and moves on by three: the stores overlap.
#include "../arrays.h"

#ifdef BROKEN
constexpr int distance = 3;
#else
constexpr int distance = 4;
#endif

__device__ void store(float* x, float value) {
    for (int i = 0; i < 4; ++i) x[i] = value + i;  // expect: race
}

__global__ void fill(float* x) {
    store(x + distance * threadIdx.x, 4 * threadIdx.x);
}

int main() {
    Array<float> x(128, 0);
    fill<<<1, 32>>>(x);
    return differs(x[127], 127);
}
