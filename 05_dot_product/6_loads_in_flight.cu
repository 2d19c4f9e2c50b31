// New here: a thread asks for two quads of each array before it needs the first.
// What it should save: waiting for the memory, as each thread has twice as many bytes in flight.
// What remains: each block ends with two atomic operations, on words that all blocks share.

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

constexpr unsigned block_size = 256;
constexpr unsigned blocks_per_multiprocessor = 8;
// Quads of each array. Measured on an H100 with 2^28 pairs: 2 take 699 µs where 1 takes 703, and 4 gain nothing more.
// Try others with `./lab bench 5`.
constexpr unsigned quads_at_once = 2;
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

void loads_in_flight(const float* a, const float* b, std::size_t n, float* result, Workspace* workspace) {
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

STAGES(Stage{{"two loads of each array in flight", loads_in_flight}, roundings, true});

}  // namespace dot_product
