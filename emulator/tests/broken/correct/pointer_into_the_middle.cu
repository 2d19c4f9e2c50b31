// Negative indices are fine if there is something, and a pointer past the end if nobody follows it.
#include "../arrays.h"

__global__ void smooth(const int* middle, int radius, int* y) {
    int sum = 0;
    for (int i = -radius; i <= radius; ++i) sum += middle[static_cast<int>(threadIdx.x) + i];
    y[threadIdx.x] = sum;
}

__global__ void sum(const int* begin, const int* end, int* result) {
    int total = 0;
    for (const int* p = end; p != begin;) total += *--p;
    *result = total;
}

int main() {
    const int n = 38;
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(n);
    smooth<<<1, 32>>>(x + 3, 3, y);
    sum<<<1, 1>>>(y, y + 32, y + 32);
    return differs(y[32], 4144);
}
