// New here: a load brings 16 bytes, a quad. A thread keeps four sums, so that additions need not wait for each other.
// What it should save: three of four load instructions, and the latency of the additions.
// What remains: a thread asks for its next two quads only when it has added these.
// Quads begin at a's first multiple of 16 bytes; up to three elements before and after them are read one by one. If b
// has no multiple of 16 bytes at the same element, each of its quads takes four loads.

#include <algorithm>

#include "block_sum.h"
#include "common/alignment.h"
#include "common/check.h"
#include "common/device.h"
#include "dot_product.h"
#include "roundings.h"

namespace dot_product {
namespace {

constexpr unsigned block_size = 256;
constexpr unsigned blocks_per_multiprocessor = 8;
constexpr unsigned warps = block_size / warp_size;

template <bool aligned>
__device__ float4 load_quad(const float* p) {
    if constexpr (aligned) return *reinterpret_cast<const float4*>(p);
    return make_float4(p[0], p[1], p[2], p[3]);
}

__device__ void add_products(float4& sums, float4 x, float4 y) {
    sums.x += x.x * y.x;
    sums.y += x.y * y.y;
    sums.z += x.z * y.z;
    sums.w += x.w * y.w;
}

/// head: elements of a before its 16-byte boundary.
template <bool b_aligned>
__global__ void dot(const float* a, const float* b, std::size_t n, std::size_t head, float* result,
                    Workspace* workspace) {
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    const std::size_t quads = (n - head) / 4;
    const float *a_quads = a + head, *b_quads = b + head;

    float4 sums = make_float4(0, 0, 0, 0);
    for (std::size_t quad = thread; quad < quads; quad += stride)
        add_products(sums, load_quad<true>(a_quads + 4 * quad), load_quad<b_aligned>(b_quads + 4 * quad));

    const std::size_t tail = head + 4 * quads + thread;
    if (thread < head) sums.x += a[thread] * b[thread];
    if (tail < n) sums.y += a[tail] * b[tail];

    const float sum = block_sum<warps>((sums.x + sums.y) + (sums.z + sums.w));
    if (threadIdx.x == 0) add_to_result(sum, workspace, result);
}

unsigned blocks_for(std::size_t n) {
    const std::size_t resident = multiprocessors() * blocks_per_multiprocessor;
    const std::size_t per_block = std::size_t{4} * block_size;
    return static_cast<unsigned>(std::clamp<std::size_t>((n + per_block - 1) / per_block, 1, resident));
}

}  // namespace

void vectorized(const float* a, const float* b, std::size_t n, float* result, Workspace* workspace) {
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

STAGES(Stage{{"16 bytes per load, four sums per thread", vectorized}, roundings, true});

}  // namespace dot_product
