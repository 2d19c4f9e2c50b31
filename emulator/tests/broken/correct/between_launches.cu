// Kernels of one stream follow each other: what one stores, in place too, the next one reads anywhere.
#include "../arrays.h"

__global__ void scan_step(const int* from, int* to, int n, int distance) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] + (i >= distance ? from[i - distance] : 0);
}

__global__ void exchange(int* x, int n, int phase) {
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
    if (i + 1 < n && x[i] < x[i + 1]) {
        const int left = x[i];
        x[i] = x[i + 1], x[i + 1] = left;
    }
}

int main() {
    const int n = 100;
    Array<int> a(n, [](int i) { return i; });
    Array<int> b(n);
    int *from = a, *to = b;
    for (int distance = 1; distance < n; distance *= 2) {
        scan_step<<<4, 32>>>(from, to, n, distance);
        int* const last = from;
        from = to, to = last;
    }
    for (int phase = 0; phase < n; ++phase) exchange<<<2, 32>>>(from, n, phase % 2);
    const Array<int>& result = from == a.data() ? a : b;
    return differs(result[0], 4950) || differs(result[n - 1], 0);
}
