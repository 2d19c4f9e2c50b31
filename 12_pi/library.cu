// NVIDIA's answer: cuRAND's Philox, of which the device's part is a header. Its states hold a key and a counter, and
// its seed is our key. A state that begins at number 4 · call therefore gives the numbers of our call.

#include <curand_kernel.h>

#include "common/check.h"
#include "one_launch.h"
#include "points.h"

namespace points {
namespace {

__global__ void __launch_bounds__(pi::block_size) count_hits(Points points, unsigned long long* hits) {
    const std::int64_t thread = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    curandStatePhilox4_32_10_t state;
    unsigned own = 0;
    for (std::int64_t call = points.first / 2 + thread; call < (points.last + 1) / 2; call += stride) {
        curand_init(points.seed, 0, 4 * call, &state);
        const uint4 numbers = curand4(&state);
        if (2 * call >= points.first) own += is_inside(numbers.x, numbers.y);
        if (2 * call + 1 < points.last) own += is_inside(numbers.z, numbers.w);
    }
    const unsigned long long sum = pi::block_sum<unsigned long long>(own);
    if (threadIdx.x == 0) atomicAdd(hits, sum);
}

}  // namespace

void library(const Points& points, unsigned long long* hits) {
    CUDA_CHECK(cudaMemsetAsync(hits, 0, sizeof *hits));
    const unsigned blocks = pi::blocks_for({max_n, points.first, points.last}, 2);
    count_hits<<<blocks, pi::block_size>>>(points, hits);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"cuRAND: curandStatePhilox4_32_10_t", library});

}  // namespace points
