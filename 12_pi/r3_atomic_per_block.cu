// New here: a thread takes many points and counts its hits in a register. block_sum() of one_launch.h adds them up, and
// a block adds to the result once. What it should save: the atomic operations, and the start of a block for every 256
// points. What remains: Philox gives four numbers, and a point needs two of them.

#include "common/check.h"
#include "one_launch.h"
#include "points.h"

namespace points {
namespace {

__global__ void __launch_bounds__(pi::block_size) count_hits(Points points, unsigned long long* hits) {
    const std::int64_t thread = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    unsigned own = 0;
    for (std::int64_t i = points.first + thread; i < points.last; i += stride) own += is_hit(points.seed, i);

    const unsigned long long sum = pi::block_sum<unsigned long long>(own);
    if (threadIdx.x == 0) atomicAdd(hits, sum);
}

}  // namespace

void atomic_per_block(const Points& points, unsigned long long* hits) {
    CUDA_CHECK(cudaMemsetAsync(hits, 0, sizeof *hits));
    const unsigned blocks = pi::blocks_for({max_n, points.first, points.last}, 1);
    count_hits<<<blocks, pi::block_size>>>(points, hits);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"hits in registers, an atomic addition per block", atomic_per_block});

}  // namespace points
