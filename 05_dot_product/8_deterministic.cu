// New here: the same bits in every run, whatever the schedule, and on every device.
// - Each block has a place for its sum, and the last block adds them in the order of the places, not of arrival.
// - The order of all additions depends on n alone, not on the number of multiprocessors or on where the arrays start.
// - fmaf rounds once on every machine. For x * y + z the compiler may choose to round once or twice.
// What it costs: the last block reads all the sums, the grid does not fit the device, and arrays that do not start at a
// multiple of 16 bytes are read by 4-byte loads.

#include <algorithm>
#include <cstdint>

#include "block_sum.h"
#include "common/check.h"
#include "dot_product.h"
#include "roundings.h"

namespace dot_product {
namespace {

constexpr unsigned block_size = 1024;
constexpr unsigned quads_at_once = 2;  // of each array
constexpr unsigned warps = block_size / warp_size;

/// The last block to arrive adds up all blocks' sums.
__device__ void finish(float sum, Workspace* workspace, float* result) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        workspace->block_sums[blockIdx.x] = sum;
        __threadfence();  // Others see the sum no later than the count.
        last = atomicInc(&workspace->arrived, gridDim.x - 1) == gridDim.x - 1;
        if (last) __threadfence();  // The sums are read after the count: by all threads, as a barrier follows.
    }
    __syncthreads();    // Now all threads know `last`, and block_sum() may use its array again.
    if (!last) return;  // The whole block returns or none of it: no thread misses a barrier.

    float total = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += block_size) total += workspace->block_sums[i];
    total = block_sum<warps>(total);
    if (threadIdx.x == 0) *result = total;
}

template <bool aligned>
__device__ float4 load_quad(const float* p) {
    if constexpr (aligned) return *reinterpret_cast<const float4*>(p);
    return make_float4(p[0], p[1], p[2], p[3]);
}

__device__ void add_products(float4& sums, float4 x, float4 y) {
    sums.x = fmaf(x.x, y.x, sums.x);
    sums.y = fmaf(x.y, y.y, sums.y);
    sums.z = fmaf(x.z, y.z, sums.z);
    sums.w = fmaf(x.w, y.w, sums.w);
}

template <bool aligned>
__global__ void dot(const float* a, const float* b, std::size_t n, float* result, Workspace* workspace) {
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    const std::size_t quads = n / 4;

    float4 sums = make_float4(0, 0, 0, 0);
    std::size_t quad = thread;
    for (; quad + (quads_at_once - 1) * stride < quads; quad += quads_at_once * stride) {
        float4 x[quads_at_once], y[quads_at_once];
        for (unsigned k = 0; k < quads_at_once; ++k) {
            x[k] = load_quad<aligned>(a + 4 * (quad + k * stride));
            y[k] = load_quad<aligned>(b + 4 * (quad + k * stride));
        }
        for (unsigned k = 0; k < quads_at_once; ++k) add_products(sums, x[k], y[k]);
    }
    for (; quad < quads; quad += stride)
        add_products(sums, load_quad<aligned>(a + 4 * quad), load_quad<aligned>(b + 4 * quad));

    const std::size_t tail = 4 * quads + thread;
    if (tail < n) sums.x = fmaf(a[tail], b[tail], sums.x);

    const float sum = block_sum<warps>((sums.x + sums.y) + (sums.z + sums.w));
    finish(sum, workspace, result);
}

unsigned blocks_for(std::size_t n) {
    const std::size_t per_block = std::size_t{4} * quads_at_once * block_size;
    return static_cast<unsigned>(std::clamp<std::size_t>((n + per_block - 1) / per_block, 1, Workspace::max_blocks));
}

bool is_aligned(const float* p) {
    return reinterpret_cast<std::uintptr_t>(p) % 16 == 0;
}

}  // namespace

void deterministic(const float* a, const float* b, std::size_t n, float* result, Workspace* workspace) {
    if (is_aligned(a) && is_aligned(b))
        dot<true><<<blocks_for(n), block_size>>>(a, b, n, result, workspace);
    else
        dot<false><<<blocks_for(n), block_size>>>(a, b, n, result, workspace);
    CUDA_CHECK_LAUNCH();
}

static std::size_t roundings(std::size_t n) {
    const std::size_t blocks = blocks_for(n), in_block = in_tree(warp_size) + in_tree(warps);
    const std::size_t in_grid = blocks / block_size + 1 + in_block;  // the last block adds the sums of all
    return in_thread(n, blocks * block_size, 4) + in_block + in_grid;
}

STAGES(Stage{{"an order that depends on n alone", deterministic}, roundings});

}  // namespace dot_product
