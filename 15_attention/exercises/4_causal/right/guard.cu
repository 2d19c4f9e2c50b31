// From the last tile back. A thread leaves out the keys that its query does not see: no largest score is -infinity.

#include <cmath>
#include <cstddef>

#include "common/check.h"

constexpr int d = 16, quads = d / 4;  // numbers of a position, and float4
constexpr int tile = 32;              // keys and values in shared memory
constexpr int threads = 64;           // of a block, and its queries

__device__ float dot(float4 a, float4 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

__device__ float4 scaled_sum(float4 sum, float correction, float4 value, float weight) {
    return {sum.x * correction + weight * value.x, sum.y * correction + weight * value.y,
            sum.z * correction + weight * value.z, sum.w * correction + weight * value.w};
}

__global__ void attend_kernel(const float4* queries, const float4* keys, const float4* values, float4* out, int n) {
    __shared__ float4 tile_keys[tile][quads], tile_values[tile][quads];
    const int i = blockIdx.x * threads + threadIdx.x;
    float4 query[quads], sums[quads] = {};
    for (int q = 0; q < quads; ++q) query[q] = queries[min(i, n - 1) * quads + q];
    float largest = -INFINITY, sum = 0;
    const int end = min(n, (int)(blockIdx.x + 1) * threads);
    for (int first = (end - 1) / tile * tile; first >= 0; first -= tile) {
        __syncthreads();  // nobody needs the tile before
        for (int k = threadIdx.x; k < tile * quads; k += threads) {
            const int from = first * quads + k;
            tile_keys[k / quads][k % quads] = from < n * quads ? keys[from] : float4{};
            tile_values[k / quads][k % quads] = from < n * quads ? values[from] : float4{};
        }
        __syncthreads();
        for (int j = 0; j < tile; ++j) {
            float score = 0;
            for (int q = 0; q < quads; ++q) score += dot(query[q], tile_keys[j][q]);
            score = first + j <= i ? score * 0.25f : -INFINITY;  // 1 / sqrt(d), and the mask
            if (first + j > i) continue;
            const float now = fmaxf(largest, score);
            const float correction = expf(largest - now), weight = expf(score - now);
            largest = now;
            sum = sum * correction + weight;
            for (int q = 0; q < quads; ++q) sums[q] = scaled_sum(sums[q], correction, tile_values[j][q], weight);
        }
    }
    if (i >= n) return;
    for (int q = 0; q < quads; ++q)
        out[i * quads + q] = {sums[q].x / sum, sums[q].y / sum, sums[q].z / sum, sums[q].w / sum};
}

/// queries, keys, values, out: n positions with 16 floats each, in device memory at addresses that are multiples of 16;
/// n may be 0. Position i sees the positions 0 to i: out[i] becomes the mean of their values, weighted by the softmax
/// of queries[i] · keys[j] / 4.
void attend(const float* queries, const float* keys, const float* values, float* out, int n) {
    if (n == 0) return;
    attend_kernel<<<(n + threads - 1) / threads, threads>>>(
        reinterpret_cast<const float4*>(queries), reinterpret_cast<const float4*>(keys),
        reinterpret_cast<const float4*>(values), reinterpret_cast<float4*>(out), n);
    CUDA_CHECK_LAUNCH();
}
