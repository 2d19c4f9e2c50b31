// Puts each row of 32 neighbouring numbers in order: a warp for each row, a number for each lane.

#include "common/check.h"

constexpr unsigned all_lanes = 0xffffffff;

/// Gives lane k the number that is the k-th of the warp's 32.
__device__ unsigned sort_warp(unsigned number, unsigned lane) {
    // BEGIN SOLUTION
    for (unsigned size = 2; size <= 32; size *= 2)
        for (unsigned distance = size / 2; distance > 0; distance /= 2) {
            const unsigned other = __shfl_xor_sync(all_lanes, number, distance);
            const bool ascending = (lane & size) == 0, is_left = (lane & distance) == 0;
            number = ascending == is_left ? min(number, other) : max(number, other);
        }
    // STUB
    // for (unsigned phase = 0; phase < 32; ++phase) {
    //     const bool is_left = lane % 2 == phase % 2;
    //     const unsigned partner = is_left ? lane + 1 : lane - 1;
    //     const unsigned other = __shfl_sync(all_lanes, number, partner);
    //     if (partner < 32) number = is_left ? min(number, other) : max(number, other);
    // }
    // END SOLUTION
    return number;
}

__global__ void sort_rows_kernel(const unsigned* in, unsigned* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned last = 0xffffffff;  // stays behind all others, in a row that is not full
    const unsigned number = sort_warp(i < n ? in[i] : last, threadIdx.x % 32);
    if (i < n) out[i] = number;
}

/// in, out: n numbers each, in device memory; n may be 0. out: each 32 neighbours of in, beginning with the first 32,
/// in ascending order. The last row may have fewer.
void sort_rows(const unsigned* in, unsigned* out, int n) {
    if (n == 0) return;
    sort_rows_kernel<<<(n + 127) / 128, 128>>>(in, out, n);
    CUDA_CHECK_LAUNCH();
}
