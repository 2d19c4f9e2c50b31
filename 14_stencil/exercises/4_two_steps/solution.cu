// Two steps of the heat in a bar.

#include "common/check.h"

constexpr int block_size = 256;

__device__ float step_point(float left, float here, float right) {
    return 0.5f * here + 0.25f * (left + right);
}

// BEGIN SOLUTION
constexpr int halo = 2, results = block_size - 2 * halo;

__global__ void take_two_steps(const float* in, float* out, int n) {
    __shared__ float tile[block_size];
    const int t = threadIdx.x, i = static_cast<int>(blockIdx.x) * results - halo + t;
    float here = i >= 0 && i < n ? in[i] : 0;
    for (int step = 0; step < 2; ++step) {
        tile[t] = here;
        __syncthreads();
        const bool has_neighbours = t > 0 && t < block_size - 1;
        if (i > 0 && i < n - 1 && has_neighbours) here = step_point(tile[t - 1], here, tile[t + 1]);
        __syncthreads();
    }
    if (t >= halo && t < block_size - halo && i < n) out[i] = here;
}
// STUB
// __global__ void take_step(const float* in, float* out, int n) {
//     const int i = blockIdx.x * block_size + threadIdx.x;
//     if (i >= n) return;
//     out[i] = i == 0 || i == n - 1 ? in[i] : step_point(in[i - 1], in[i], in[i + 1]);
// }
// END SOLUTION

/// in, out, scratch: n floats each in device memory, which do not overlap; n may be 0. out = the temperatures `in`
/// after two steps. Both ends of the bar keep theirs. What is in `scratch` afterwards does not matter.
void heat_twice(const float* in, float* out, float* scratch, int n) {
    if (n == 0) return;
    // BEGIN SOLUTION
    static_cast<void>(scratch);
    take_two_steps<<<(n + results - 1) / results, block_size>>>(in, out, n);
    CUDA_CHECK_LAUNCH();
    // STUB
    // take_step<<<(n + block_size - 1) / block_size, block_size>>>(in, scratch, n);
    // CUDA_CHECK_LAUNCH();
    // take_step<<<(n + block_size - 1) / block_size, block_size>>>(scratch, out, n);
    // CUDA_CHECK_LAUNCH();
    // END SOLUTION
}
