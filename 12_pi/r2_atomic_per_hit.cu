// New here: a thread for each point. It makes the point from its number, and adds a hit to the result with an atomic
// operation. What it saves: a state for each thread, and somebody to seed it. What remains: three of four threads add
// to the same number.

#include "common/check.h"
#include "points.h"

namespace points {
namespace {

constexpr unsigned block_size = 256;

__global__ void count_hits(Points points, unsigned long long* hits) {
    const std::int64_t i = points.first + std::int64_t{blockIdx.x} * block_size + threadIdx.x;
    if (i < points.last && is_hit(points.seed, i)) atomicAdd(hits, 1ull);
}

}  // namespace

void atomic_per_hit(const Points& points, unsigned long long* hits) {
    CUDA_CHECK(cudaMemsetAsync(hits, 0, sizeof *hits));
    const std::int64_t blocks = (points.last - points.first + block_size - 1) / block_size;
    if (blocks == 0) return;  // A grid without blocks is an error.
    count_hits<<<static_cast<unsigned>(blocks), block_size>>>(points, hits);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"a thread per point, an atomic addition per hit", atomic_per_hit});

}  // namespace points
