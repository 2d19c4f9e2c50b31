// this_grid().sync() needs a cooperative launch.
#include <cooperative_groups.h>

#include "../arrays.h"

__global__ void shift(const int* x, int* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + 1;
    cooperative_groups::this_grid().sync();  // expect: trap
    y[i] += y[(i + 1) % n] - y[(i + 1) % n];
}

int main() {
    int n = 128;
    Array<int> x(n, [](int i) { return i; }), y(n, 0);
#ifdef BROKEN
    shift<<<2, 64>>>(x, y, n);
    int value = 0;
    cudaMemcpy(&value, y + 7, sizeof value, cudaMemcpyDeviceToHost);
    return differs(value, 0);
#else
    std::printf("%d\n", y[7] + n);
    return 0;
#endif
}
