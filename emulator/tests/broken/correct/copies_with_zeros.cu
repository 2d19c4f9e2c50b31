// At the end of the array less than 16 bytes are given, or none: the rest becomes 0, and nothing is read there. Threads
// without an element of their own copy the last one once more, to the same place.
#include <cuda_pipeline.h>

#include "../arrays.h"

__global__ void reverse(const int* x, int* y, int n) {
    __shared__ alignas(16) int buffer[256], last[64];
    const int t = threadIdx.x, left = n - 4 * t, given = left <= 0 ? 0 : left < 4 ? left : 4;
    __pipeline_memcpy_async(&buffer[4 * t], given == 0 ? x : x + 4 * t, 16, 16 - 4 * given);
    const int mine = t < n % 64 ? t : n % 64;
    __pipeline_memcpy_async(&last[mine], &x[mine], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = t; i < 256; i += 64) y[i] = buffer[255 - i];
    y[t] += last[mine];
}

int main() {
    Array<int> x(250, [](int i) { return i + 1; });
    Array<int> y(256);
    reverse<<<1, 64>>>(x, y, 250);
    return differs(y[5], 6) || differs(y[6], 250 + 7);
}
