// Merges two sorted arrays: each number counts how many of the other array stand before it, and knows its place.

#include "common/check.h"

/// How many of the n sorted numbers are smaller than x.
__device__ int count_less(const unsigned* numbers, int n, unsigned x) {
    // BEGIN SOLUTION
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (numbers[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
    // STUB
    // int count = 0;
    // while (count < n && numbers[count] < x) ++count;
    // return count;
    // END SOLUTION
}

// BEGIN SOLUTION
/// How many of them are not larger than x.
__device__ int count_not_larger(const unsigned* numbers, int n, unsigned x) {
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (numbers[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// STUB
// END SOLUTION
__global__ void merge_kernel(const unsigned* a, int a_size, const unsigned* b, int b_size, unsigned* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // BEGIN SOLUTION
    if (i < a_size)
        out[i + count_less(b, b_size, a[i])] = a[i];
    else if (i < a_size + b_size)
        out[i - a_size + count_not_larger(a, a_size, b[i - a_size])] = b[i - a_size];
    // STUB
    // if (i < a_size)
    //     out[i + count_less(b, b_size, a[i])] = a[i];
    // else if (i < a_size + b_size)
    //     out[i - a_size + count_less(a, a_size, b[i - a_size])] = b[i - a_size];
    // END SOLUTION
}

/// a, b: sorted numbers in device memory, a_size and b_size of them; each may be 0. out: room for all of them, in
/// device memory; gets them in ascending order.
void merge_sorted(const unsigned* a, int a_size, const unsigned* b, int b_size, unsigned* out) {
    const int n = a_size + b_size;
    if (n == 0) return;
    merge_kernel<<<(n + 255) / 256, 256>>>(a, a_size, b, b_size, out);
    CUDA_CHECK_LAUNCH();
}
