// Tiles of cooperative groups. A lane that has no score takes what the other one has.

#include <cooperative_groups.h>
#include <cmath>
#include <cstddef>

#include "common/check.h"

/// What some scores of a row come to: the largest of them, Σ exp(score - largest), and Σ exp(score - largest) · value.
/// Of no score: -infinity, 0 and 0.
struct Part {
    float largest, sum, weighted;
};

/// The part with one score more. If that is the largest so far, both sums are corrected.
__device__ Part with(Part part, float score, float value) {
    const float largest = fmaxf(part.largest, score);
    if (largest == -INFINITY) return part;  // a hidden score, and no other one before it
    const float correction = expf(part.largest - largest), weight = expf(score - largest);
    return {largest, part.sum * correction + weight, part.weighted * correction + weight * value};
}

namespace cg = cooperative_groups;

__global__ void average(const float* scores, const float* values, float* means, int rows, int columns) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (i >= rows) return;
    Part p{-INFINITY, 0, 0};
    for (int j = warp.thread_rank(); j < columns; j += warp.size())
        p = with(p, scores[std::size_t(i) * columns + j], values[j]);
    for (int d = warp.size() / 2; d > 0; d /= 2) {
        const float m = warp.shfl_down(p.largest, d), s = warp.shfl_down(p.sum, d), v = warp.shfl_down(p.weighted, d);
        if (m == -INFINITY) continue;
        if (p.largest == -INFINITY) {
            p = {m, s, v};
            continue;
        }
        const float all = fmaxf(p.largest, m), a = expf(p.largest - all), b = expf(m - all);
        p = {all, p.sum * a + s * b, p.weighted * a + v * b};
    }
    if (warp.thread_rank() == 0) means[i] = p.weighted / p.sum;
}

void weighted_means(const float* scores, const float* values, float* means, int rows, int columns) {
    if (rows == 0) return;
    average<<<(rows + 7) / 8, 256>>>(scores, values, means, rows, columns);
    CUDA_CHECK_LAUNCH();
}
