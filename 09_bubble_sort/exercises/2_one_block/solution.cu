// Puts up to 1024 ints in order by odd-even transposition, in the shared memory of one block.

#include "common/check.h"

constexpr int most = 1024;  // values, and a thread for each pair of them

__global__ void sort_block(const int* in, int* out, int n) {
    __shared__ int shared[most];
    const int t = threadIdx.x;
    // BEGIN SOLUTION
    for (int i = t; i < n; i += blockDim.x) shared[i] = in[i];
    // STUB
    // if (2 * t + 1 < n) {
    //     shared[2 * t] = in[2 * t];
    //     shared[2 * t + 1] = in[2 * t + 1];
    // }
    // END SOLUTION
    __syncthreads();

    for (int phase = 0; phase < n; ++phase) {
        const int k = 2 * t + phase % 2;
        // BEGIN SOLUTION
        if (k + 1 < n && shared[k + 1] < shared[k]) {
            const int left = shared[k];
            shared[k] = shared[k + 1];
            shared[k + 1] = left;
        }
        __syncthreads();
        // STUB
        // if (shared[k + 1] < shared[k] && k + 1 < n) {
        //     const int left = shared[k];
        //     shared[k] = shared[k + 1];
        //     shared[k + 1] = left;
        //     __syncthreads();
        // }
        // END SOLUTION
    }

    for (int i = t; i < n; i += blockDim.x) out[i] = shared[i];
}

/// in, out: n ints each, in device memory; n is 1024 at most, and may be 0. out: those of in, in ascending order.
void sort_small(const int* in, int* out, int n) {
    if (n == 0) return;
    sort_block<<<1, most / 2>>>(in, out, n);
    CUDA_CHECK_LAUNCH();
}
