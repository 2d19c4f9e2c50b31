// The mean of each bin is its sum divided by its count, and some bins are empty.
#include "../arrays.h"

__global__ void means(const int* sums, const int* counts, int* mean, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#ifdef BROKEN
    mean[i] = sums[i] / counts[i];  // expect: division-by-zero
#else
    mean[i] = counts[i] == 0 ? 0 : sums[i] / counts[i];
#endif
}

int main() {
    const int n = 64;
    Array<int> sums(n, [](int i) { return 10 * i; });
    Array<int> counts(n, [](int i) { return i % 4; });
    Array<int> mean(n);
    means<<<2, 48>>>(sums, counts, mean, n);
    return differs(mean[7], 23);
}
