// A reversal in place: each thread owns two elements, wherever they lie.
#include "../arrays.h"

__global__ void reverse(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    const int left = x[i];
    x[i] = x[n - 1 - i];
    x[n - 1 - i] = left;
}

int main() {
    const int n = 101;
    Array<int> x(n, [](int i) { return i; });
    reverse<<<2, 32>>>(x, n);
    return differs(x[0], 100) || differs(x[50], 50);
}
