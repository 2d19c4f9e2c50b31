// A function gets a thread's own array and its length, which is one too large.
#include "../arrays.h"

__device__ void sort(int* values, int n) {
    for (int i = 1; i < n; ++i)
        for (int j = i; j > 0 && values[j - 1] > values[j]; --j) {  // expect: out-of-bounds
            const int smaller = values[j];
            values[j] = values[j - 1];  // may: out-of-bounds
            values[j - 1] = smaller;
        }
}

__global__ void medians(const int* x, int* y) {
    int window[5];
    for (int i = 0; i < 5; ++i) window[i] = x[threadIdx.x + i];
#ifdef BROKEN
    sort(window, 6);
#else
    sort(window, 5);
#endif
    y[threadIdx.x] = window[2];
}

int main() {
    const int n = 32;
    Array<int> x(n + 4, [](int i) { return i * 7 % 10; });
    Array<int> y(n);
    medians<<<1, n>>>(x, y);
    return differs(y[0], 4);
}
