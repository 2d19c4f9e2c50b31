// One function for both, a search whose steps are powers of two, and b's numbers before equal ones of a.

#include "common/check.h"

template <bool or_equal>
__device__ int count(const unsigned* numbers, int n, unsigned x) {
    int found = 0;
    for (int step = 1 << 30; step > 0; step >>= 1) {
        if (found + step > n) continue;
        const unsigned number = numbers[found + step - 1];
        if (number < x || (or_equal && number == x)) found += step;
    }
    return found;
}

__global__ void merge_kernel(const unsigned* a, int a_size, const unsigned* b, int b_size, unsigned* out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < a_size + b_size; i += gridDim.x * blockDim.x) {
        const int j = i - a_size;
        const unsigned x = j < 0 ? a[i] : b[j];
        out[j < 0 ? i + count<true>(b, b_size, x) : j + count<false>(a, a_size, x)] = x;
    }
}

void merge_sorted(const unsigned* a, int a_size, const unsigned* b, int b_size, unsigned* out) {
    merge_kernel<<<4, 128>>>(a, a_size, b, b_size, out);
    CUDA_CHECK_LAUNCH();
}
