// New here: blocks of 1,024 threads, so that the same number of threads makes a quarter of the blocks.
// What it should save: three of four atomic operations, and three of four block ends.
// What remains: the memory. Each product needs two floats: no kernel is faster than these can be read.

#include <algorithm>

#include "block_sum.h"
#include "common/alignment.h"
#include "common/check.h"
#include "common/device.h"
#include "dot_product.h"
#include "quads.h"
#include "roundings.h"

namespace dot_product {
namespace {

// Measured on an H100 with 2^28 pairs: 4 blocks of 512 and 2 of 1,024 take 690 µs, 8 of 256 take 699. Try others with
// `./lab bench 5`.
constexpr unsigned block_size = 1024;
constexpr unsigned blocks_per_multiprocessor = 2;
constexpr unsigned quads_at_once = 2;  // of each array
constexpr unsigned warps = block_size / warp_size;

template <bool b_aligned>
__global__ void dot(const float* a, const float* b, std::size_t n, std::size_t head, float* result,
                    Workspace* workspace) {
    const float sum = block_sum<warps>(sum_of_thread<quads_at_once, b_aligned>(a, b, n, head));
    if (threadIdx.x == 0) add_to_result(sum, workspace, result);
}

unsigned blocks_for(std::size_t n) {
    const std::size_t resident = multiprocessors() * blocks_per_multiprocessor;
    const std::size_t per_block = std::size_t{4} * quads_at_once * block_size;
    return static_cast<unsigned>(std::clamp<std::size_t>((n + per_block - 1) / per_block, 1, resident));
}

}  // namespace

void large_blocks(const float* a, const float* b, std::size_t n, float* result, Workspace* workspace) {
    const std::size_t head = std::min(n, to_boundary(a));
    if (to_boundary(a) == to_boundary(b))
        dot<true><<<blocks_for(n), block_size>>>(a, b, n, head, result, workspace);
    else
        dot<false><<<blocks_for(n), block_size>>>(a, b, n, head, result, workspace);
    CUDA_CHECK_LAUNCH();
}

static std::size_t roundings(std::size_t n) {
    return in_thread(n, std::size_t{blocks_for(n)} * block_size, 4) + in_tree(warp_size) + in_tree(warps) +
           blocks_for(n);
}

STAGES(Stage{{"1,024 threads per block: a quarter of the atomics", large_blocks}, roundings, true});

}  // namespace dot_product
