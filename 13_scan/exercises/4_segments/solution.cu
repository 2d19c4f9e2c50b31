// The sums of the prefixes of each segment, within tiles of 256 values.

#include "common/check.h"

constexpr unsigned tile = 256;

__global__ void scan_segments(const unsigned* in, const int* begins, unsigned* out, int n) {
    const int i = blockIdx.x * tile + threadIdx.x;
    // BEGIN SOLUTION
    __shared__ unsigned sums[tile];
    __shared__ int begun[tile];  // whether a segment begins among the values in the sum
    unsigned sum = i < n ? in[i] : 0;
    int has_begun = i < n ? begins[i] : 1;
    for (unsigned distance = 1; distance < tile; distance *= 2) {
        sums[threadIdx.x] = sum;
        begun[threadIdx.x] = has_begun;
        __syncthreads();
        if (threadIdx.x >= distance && !has_begun) {
            sum += sums[threadIdx.x - distance];
            has_begun = begun[threadIdx.x - distance];
        }
        __syncthreads();
    }
    if (i < n) out[i] = sum;
    // STUB
    // if (i >= n) return;
    // unsigned sum = in[i];
    // for (int k = i; k % tile != 0 && !begins[k]; --k) sum += in[k - 1];
    // out[i] = sum;
    // END SOLUTION
}

/// in, out: n values each, begins: n numbers, 1 where a segment begins and 0 elsewhere, all in device memory; n may be
/// 0. out[i] becomes the sum of in[i] and all values before it in its segment, mod 2^32. A segment also begins at 0,
/// 256, 512, ...
void scan_each_segment(const unsigned* in, const int* begins, unsigned* out, int n) {
    if (n == 0) return;
    scan_segments<<<(n + tile - 1) / tile, tile>>>(in, begins, out, n);
    CUDA_CHECK_LAUNCH();
}
