// The window of the last four values is read before four values have gone into it.
#include "../arrays.h"

__global__ void moving_sum(const int* x, int* y, int n) {
    int last[4];
#ifndef BROKEN
    for (int i = 0; i < 4; ++i) last[i] = 0;
#endif
    for (int i = 0; i < n; ++i) {
        last[i % 4] = x[i];
        int sum = 0;
        for (int j = 0; j < 4; ++j) sum += last[j];  // expect: uninitialised
        y[i] = sum;
    }
}

int main() {
    const int n = 20;
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(n);
    moving_sum<<<1, 1>>>(x, y, n);
    return differs(y[n - 1], 70);
}
