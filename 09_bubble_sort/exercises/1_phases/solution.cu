// Puts n ints in order by odd-even transposition: a thread for each pair, and as many blocks as that takes.

#include "common/check.h"

// BEGIN SOLUTION
__global__ void order_pairs(int* values, int n, int first) {
    const int k = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + first;
    if (k + 1 < n && values[k + 1] < values[k]) {
        const int left = values[k];
        values[k] = values[k + 1];
        values[k + 1] = left;
    }
}
// STUB
// __global__ void order_pairs(int* values, int n) {
//     for (int phase = 0; phase < n; ++phase) {
//         const int k = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase % 2;
//         if (k + 1 < n && values[k + 1] < values[k]) {
//             const int left = values[k];
//             values[k] = values[k + 1];
//             values[k + 1] = left;
//         }
//         __syncthreads();  // The next phase begins when this one has ended.
//     }
// }
// END SOLUTION

/// in, out: n ints each, in device memory; n may be 0. out: those of in, in ascending order.
void odd_even_sort(const int* in, int* out, int n) {
    if (n == 0) return;
    CUDA_CHECK(cudaMemcpy(out, in, n * sizeof(int), cudaMemcpyDeviceToDevice));
    const int pairs = (n + 1) / 2, blocks = (pairs + 255) / 256;
    // BEGIN SOLUTION
    for (int phase = 0; phase < n; ++phase) {
        order_pairs<<<blocks, 256>>>(out, n, phase % 2);
        CUDA_CHECK_LAUNCH();
    }
    // STUB
    // order_pairs<<<blocks, 256>>>(out, n);
    // CUDA_CHECK_LAUNCH();
    // END SOLUTION
}
