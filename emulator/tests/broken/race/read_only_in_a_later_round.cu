// The blocks smooth a row in rounds, between barriers of the grid, and load by __ldg() what the round before has
// stored.
#include <cooperative_groups.h>

#include "../arrays.h"

#ifdef BROKEN
#define LOAD(x) __ldg(&(x))
#else
#define LOAD(x) (x)
#endif

__global__ void smooth(float* x, float* y, int n, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < rounds; ++round) {
        const float* from = round % 2 == 0 ? x : y;
        float* to = round % 2 == 0 ? y : x;
        if (i > 0 && i + 1 < n) {
            const float left = LOAD(from[i - 1]);  // expect: race
            to[i] = (left + from[i + 1]) / 2;      // expect: race, other
        } else if (i < n) {
            to[i] = from[i];  // expect: race, other
        }
        cooperative_groups::this_grid().sync();
    }
}

int main() {
    int n = 200, rounds = 3;
    Array<float> x(n, [](int i) { return i % 10; }), y(n, 0);
    float *from = x, *to = y;
    void* arguments[] = {&from, &to, &n, &rounds};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(smooth), dim3(4), dim3(64), arguments, 0, nullptr));
    check(cudaDeviceSynchronize());
    return differs(float(y[0]), 0);
}
