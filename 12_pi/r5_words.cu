// New here: Philox in words of 32 bits. From the products of stage r4, which have 64 bits, the compiler makes
// arithmetic in 64 bits, with an addition of zero behind nearly each product. Here each half of a product is a word
// from the start. What it should save: these additions, a quarter of all instructions. What remains: in each of the ten
// rounds two multiplications and two bitwise operations, for two points.

#include "common/check.h"
#include "one_launch.h"
#include "points.h"

namespace points {
namespace {

/// philox::random() with the same numbers.
__device__ philox::Four random_words(philox::Four counter, philox::Key key) {
    constexpr std::uint32_t for_x = 0xD2511F53, for_z = 0xCD9E8D57;
    for (int i = 0; i < 10; ++i) {
        const auto [x, y, z, w] = counter;
        counter = {__umulhi(for_z, z) ^ y ^ key.x, for_z * z, __umulhi(for_x, x) ^ w ^ key.y, for_x * x};
        key.x += 0x9E3779B9;
        key.y += 0xBB67AE85;
    }
    return counter;
}

__global__ void __launch_bounds__(pi::block_size) count_hits(Points points, unsigned long long* hits) {
    const std::int64_t thread = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    unsigned own = 0;
    for (std::int64_t call = (points.first + 1) / 2 + thread; call < points.last / 2; call += stride) {
        const philox::Four numbers = random_words(counter_of(call), key_of(points.seed));
        own += is_inside(numbers.x, numbers.y);
        own += is_inside(numbers.z, numbers.w);
    }
    if (thread == 0 && points.first < points.last) {  // As in stage r4.
        if (points.first % 2 == 1) own += is_hit(points.seed, points.first);
        if (points.last % 2 == 1) own += is_hit(points.seed, points.last - 1);
    }
    const unsigned long long sum = pi::block_sum<unsigned long long>(own);
    if (threadIdx.x == 0) atomicAdd(hits, sum);
}

}  // namespace

void words(const Points& points, unsigned long long* hits) {
    CUDA_CHECK(cudaMemsetAsync(hits, 0, sizeof *hits));
    const unsigned blocks = pi::blocks_for({max_n, points.first, points.last}, 2);
    count_hits<<<blocks, pi::block_size>>>(points, hits);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"products in words of 32 bits", words});

}  // namespace points
