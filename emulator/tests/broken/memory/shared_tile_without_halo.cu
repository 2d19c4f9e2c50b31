// The tile has room for the elements of the block and for one neighbour, not for two.
#include "../arrays.h"

#ifdef BROKEN
constexpr int room = 64 + 1;
#else
constexpr int room = 64 + 2;
#endif

__global__ void smooth(const float* x, float* y, int n) {
    __shared__ float tile[room];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    tile[t + 1] = i < n ? x[i] : 0;
    if (t == 0) tile[0] = i > 0 ? x[i - 1] : 0;
    if (t == 63) tile[t + 2] = i + 1 < n ? x[i + 1] : 0;  // expect: out-of-bounds
    __syncthreads();
    if (i < n) y[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3;  // may: out-of-bounds
}

int main() {
    const int n = 150;
    Array<float> x(n, [](int i) { return 3 * i; });
    Array<float> y(n);
    smooth<<<3, 64>>>(x, y, n);
    return differs(y[64], 192);
}
