// Each warp has a tile of its own: 32 points in registers for 28 results.

#include "common/check.h"

__global__ void take_two_steps(const float* in, float* out, int n) {
    const int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int i = warp * 28 - 2 + lane;
    float here = i >= 0 && i < n ? in[i] : 0;
    for (int step = 0; step < 2; ++step) {
        const float left = __shfl_up_sync(0xffffffff, here, 1), right = __shfl_down_sync(0xffffffff, here, 1);
        if (i > 0 && i < n - 1 && lane > 0 && lane < 31) here = 0.5f * here + 0.25f * (left + right);
    }
    if (lane >= 2 && lane < 30 && i < n) out[i] = here;
}

void heat_twice(const float* in, float* out, float*, int n) {
    if (n == 0) return;
    constexpr int results = 256 / 32 * 28;
    take_two_steps<<<(n + results - 1) / results, 256>>>(in, out, n);
    CUDA_CHECK_LAUNCH();
}
