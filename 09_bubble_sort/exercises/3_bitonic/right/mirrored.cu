// The other way to draw the network: all pairs in the same direction, and the first step of each merge is mirrored.

#include "common/check.h"

__device__ unsigned exchanged(unsigned number, unsigned lane, unsigned mask) {
    const unsigned other = __shfl_sync(0xffffffff, number, lane ^ mask);
    return lane < (lane ^ mask) ? min(number, other) : max(number, other);
}

__global__ void sort_rows_kernel(const unsigned* in, unsigned* out, int n) {
    for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
        const int i = base + threadIdx.x;
        const unsigned lane = threadIdx.x % 32;
        unsigned number = i < n ? in[i] : 0xffffffff;
        for (unsigned size = 2; size <= 32; size <<= 1) {
            number = exchanged(number, lane, size - 1);
            for (unsigned distance = size >> 2; distance > 0; distance >>= 1)
                number = exchanged(number, lane, distance);
        }
        if (i < n) out[i] = number;
    }
}

void sort_rows(const unsigned* in, unsigned* out, int n) {
    sort_rows_kernel<<<7, 96>>>(in, out, n);
    CUDA_CHECK_LAUNCH();
}
