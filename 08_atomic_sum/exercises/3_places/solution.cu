// Those of n floats that are positive, in any order.

#include "common/check.h"

__global__ void keep_kernel(const float* values, int n, float* kept, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // BEGIN SOLUTION
    const unsigned all_lanes = 0xffffffff, lane = threadIdx.x % 32;
    const float value = i < n ? values[i] : 0;
    const unsigned keepers = __ballot_sync(all_lanes, value > 0);

    int first = 0;
    if (lane == 0) first = atomicAdd(count, __popc(keepers));
    first = __shfl_sync(all_lanes, first, 0);

    const unsigned before = keepers & ((1u << lane) - 1);
    if (value > 0) kept[first + __popc(before)] = value;
    // STUB
    // if (i < n && values[i] > 0) {
    //     const int place = atomicAdd(count, 1);
    //     kept[place] = values[i];
    // }
    // END SOLUTION
}

/// values: n floats in device memory; n may be 0. kept: room for n floats in device memory. count: one int in device
/// memory, which is set to the number of floats that were kept.
void keep_positive(const float* values, int n, float* kept, int* count) {
    CUDA_CHECK(cudaMemset(count, 0, sizeof(int)));
    if (n == 0) return;
    keep_kernel<<<(n + 255) / 256, 256>>>(values, n, kept, count);
    CUDA_CHECK_LAUNCH();
}
