// The threads of a block share a structure and store different members of it.
#include "../arrays.h"

struct Range {
    int low, high;
    char name[3];
    bool empty;
};

__global__ void bounds(const int* x, int n, Range* result) {
    __shared__ Range range;
    const int t = threadIdx.x;
    if (t == 0) range.low = x[0];
    if (t == 1) range.high = x[n - 1];
    if (t > 1 && t < 5) range.name[t - 2] = static_cast<char>('a' + t);
    if (t == 5) range.empty = n == 0;
    __syncthreads();
    if (t == 0) *result = range;
}

int main() {
    const int n = 20;
    Array<int> x(n, [](int i) { return 3 * i; });
    Array<Range> result(1);
    bounds<<<1, 32>>>(x, n, result);
    const Range range = result[0];
    return differs(range.low, 0) || differs(range.high, 57) || differs(range.name[2], 'e') || differs(range.empty, 0);
}
