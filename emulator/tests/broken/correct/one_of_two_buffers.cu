// Threads choose one of two arrays and then its element, by an index that is computed.
#include "../arrays.h"

__global__ void add_up(const int* x, int* y, int n) {
    __shared__ int a[64], b[64];
    const int t = static_cast<int>(threadIdx.x);
    (t < 64 ? a : b)[t % 64] = x[t];
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += (t < 64 ? b : a)[i % 64] * (i + 1);
    y[t] = sum;
}

int main() {
    Array<int> x(128, [](int i) { return i; }), y(128, -1);
    add_up<<<1, 128>>>(x, y, 3);
    return differs(y[5], 64 + 2 * 65 + 3 * 66) || differs(y[70], 0 + 2 * 1 + 3 * 2);
}
