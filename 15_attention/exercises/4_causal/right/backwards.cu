// From the diagonal back to the first tile. Each warp leaves out what none of its own queries sees, and still comes to
// the barriers.

#include <cmath>
#include <cstddef>

#include "common/check.h"

constexpr int d = 16, tile = 32, threads = 64;

__global__ void attend_kernel(const float* queries, const float* keys, const float* values, float* out, int n) {
    __shared__ float4 shared[2][tile * d / 4];
    const int block = gridDim.x - 1 - blockIdx.x, i = block * threads + threadIdx.x;  // the longest block first
    float query[d] = {}, sums[d] = {}, largest = -INFINITY, sum = 0;
    if (i < n)
        for (int c = 0; c < d; c += 4)
            *reinterpret_cast<float4*>(&query[c]) = *reinterpret_cast<const float4*>(&queries[i * d + c]);
    const int last_query = min(n, (block + 1) * threads) - 1, last_of_warp = i / 32 * 32 + 31;
    for (int t = last_query / tile; t >= 0; --t) {
        const int count = min(tile, n - t * tile) * d / 4;
        for (int k = threadIdx.x; k < count; k += threads) {
            shared[0][k] = reinterpret_cast<const float4*>(keys + t * tile * d)[k];
            shared[1][k] = reinterpret_cast<const float4*>(values + t * tile * d)[k];
        }
        __syncthreads();
        const auto* own_keys = reinterpret_cast<const float*>(shared[0]);
        const auto* own_values = reinterpret_cast<const float*>(shared[1]);
        if (t * tile <= last_of_warp)
            for (int j = 0; j < tile && t * tile + j <= i && t * tile + j < n; ++j) {
                float score = 0;
                for (int c = 0; c < d; c += 4) {
                    const float4 key = *reinterpret_cast<const float4*>(&own_keys[j * d + c]);
                    score += query[c] * key.x + query[c + 1] * key.y + query[c + 2] * key.z + query[c + 3] * key.w;
                }
                score /= 4;
                if (score > largest) {
                    const float correction = expf(largest - score);
                    sum *= correction;
                    for (float& one : sums) one *= correction;
                    largest = score;
                }
                const float weight = expf(score - largest);
                sum += weight;
                for (int c = 0; c < d; c += 4) {
                    const float4 value = *reinterpret_cast<const float4*>(&own_values[j * d + c]);
                    sums[c] += weight * value.x;
                    sums[c + 1] += weight * value.y;
                    sums[c + 2] += weight * value.z;
                    sums[c + 3] += weight * value.w;
                }
            }
        __syncthreads();
    }
    if (i < n)
        for (int c = 0; c < d; ++c) out[i * d + c] = sums[c] / sum;
}

void attend(const float* queries, const float* keys, const float* values, float* out, int n) {
    if (n == 0) return;
    attend_kernel<<<(n + threads - 1) / threads, threads>>>(queries, keys, values, out, n);
    CUDA_CHECK_LAUNCH();
}
