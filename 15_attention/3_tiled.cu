// New here: no matrix of scores. A block takes 32 queries through all keys, 32 keys and values at a time. It keeps the
// largest score so far, the sum of the weights and the weighted sum of the values. When the largest score grows, it
// multiplies both sums by exp(old - new): that is as if all weights had been computed with the new one.
// (FlashAttention: Dao and others, 2022; the running softmax: Milakov and Gimelshein, 2018.) What remains: 2 · n · d
// multiply-adds of floats for each query, on ordinary cores.

#include "attention.h"
#include "common/check.h"

namespace attention {
namespace {

constexpr int tile = 32;  // queries of a block, and keys in shared memory
constexpr int lanes = 4;  // that share a query: each has every fourth float4 of its d numbers
constexpr int threads = tile * lanes;

template <int d>
__global__ void __launch_bounds__(threads) attend(Shape shape, Vectors<float> in, float* out) {
    constexpr int quads = d / 4, own = quads / lanes;
    __shared__ float4 keys[tile][quads], values[tile][quads];

    const std::size_t head = std::size_t(blockIdx.y) * shape.n * quads;  // in float4
    const auto* all_keys = reinterpret_cast<const float4*>(in.keys) + head;
    const auto* all_values = reinterpret_cast<const float4*>(in.values) + head;
    const int part = threadIdx.x % lanes, i = blockIdx.x * tile + threadIdx.x / lanes;
    const float scale = scale_of(d);

    float4 query[own], sums[own] = {};
    for (int q = 0; q < own; ++q)
        query[q] = reinterpret_cast<const float4*>(
            in.queries)[head + std::size_t(min(i, shape.n - 1)) * quads + q * lanes + part];
    float largest = -INFINITY, weights = 0;
    const int end = shape.causal ? min(shape.n, int(blockIdx.x + 1) * tile) : shape.n;
    for (int first = 0; first < end; first += tile) {
        __syncthreads();  // nobody needs the tile before
        for (int k = threadIdx.x; k < tile * quads; k += threads) {
            const std::size_t from = std::size_t(min(first + k / quads, shape.n - 1)) * quads + k % quads;
            keys[k / quads][k % quads] = all_keys[from];
            values[k / quads][k % quads] = all_values[from];
        }
        __syncthreads();

        float scores[tile], now = largest;
#pragma unroll
        for (int j = 0; j < tile; ++j) {
            float score = 0;
#pragma unroll
            for (int q = 0; q < own; ++q) {
                const float4 key = keys[j][q * lanes + part];
                score += query[q].x * key.x + query[q].y * key.y + query[q].z * key.z + query[q].w * key.w;
            }
            score += __shfl_xor_sync(0xffffffff, score, 1);
            score += __shfl_xor_sync(0xffffffff, score, 2);
            const bool is_seen = first + j < shape.n && !(shape.causal && first + j > i);
            scores[j] = is_seen ? score * scale : -INFINITY;
            now = fmaxf(now, scores[j]);
        }
        const float correction = expf(largest - now);  // 0 for the first tile
        largest = now;
        weights *= correction;
#pragma unroll
        for (auto& sum : sums) sum = {sum.x * correction, sum.y * correction, sum.z * correction, sum.w * correction};
#pragma unroll
        for (int j = 0; j < tile; ++j) {
            const float weight = expf(scores[j] - largest);
            weights += weight;
#pragma unroll
            for (int q = 0; q < own; ++q) {
                const float4 value = values[j][q * lanes + part];
                sums[q].x += weight * value.x;
                sums[q].y += weight * value.y;
                sums[q].z += weight * value.z;
                sums[q].w += weight * value.w;
            }
        }
    }
    if (i >= shape.n) return;
    for (int q = 0; q < own; ++q)
        reinterpret_cast<float4*>(out)[head + std::size_t(i) * quads + q * lanes + part] = {
            sums[q].x / weights, sums[q].y / weights, sums[q].z / weights, sums[q].w / weights};
}

}  // namespace

void tiled(const Shape& shape, const Input& in, float* out, float*) {
    require_supported(shape);
    const dim3 grid((shape.n + tile - 1) / tile, shape.heads);
    if (shape.d == 64)
        attend<64><<<grid, threads>>>(shape, in.floats, out);
    else
        attend<128><<<grid, threads>>>(shape, in.floats, out);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"tiles of keys and a running softmax, in floats", tiled}});

}  // namespace attention
