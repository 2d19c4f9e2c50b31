// 256 results a block: the tile is larger than the block, and the step between has an array of its own.

#include "common/check.h"
constexpr int block_size = 256, halo = 2;

__device__ float step_point(float left, float here, float right) {
    return 0.5f * here + 0.25f * (left + right);
}

__global__ void twice(const float* in, float* out, int n) {
    __shared__ float a[block_size + 2 * halo], b[block_size + 2 * halo];
    const int first = int(blockIdx.x) * block_size - halo;
    for (int k = threadIdx.x; k < block_size + 2 * halo; k += block_size)
        if (first + k >= 0 && first + k < n) a[k] = in[first + k];
    __syncthreads();
    for (int k = threadIdx.x + 1; k < block_size + 2 * halo - 1; k += block_size) {
        const int i = first + k;
        if (i >= 0 && i < n) b[k] = i == 0 || i == n - 1 ? a[k] : step_point(a[k - 1], a[k], a[k + 1]);
    }
    __syncthreads();
    const int k = threadIdx.x + halo, i = first + k;
    if (i < n) out[i] = i == 0 || i == n - 1 ? b[k] : step_point(b[k - 1], b[k], b[k + 1]);
}

void heat_twice(const float* in, float* out, float*, int n) {
    if (n == 0) return;
    twice<<<(n + block_size - 1) / block_size, block_size>>>(in, out, n);
    CUDA_CHECK_LAUNCH();
}
