// New here: a thread loads 16 bytes at once and has several such quads in flight before it adds the first. And one
// launch does it all: the blocks add to a total in global memory, which the last one to finish moves to the result.
// What it saves: three of four load instructions; waiting, as more bytes are in flight; the launch that sets the result
// to 0. What remains: the memory's bandwidth, and for ten million ints the time that any launch takes.

#include <algorithm>

#include "atomic_sum.h"
#include "common/alignment.h"
#include "common/check.h"
#include "common/device.h"

namespace atomic_sum {
namespace {

constexpr unsigned warp_size = 32;
constexpr unsigned all_lanes = 0xffffffff;
constexpr unsigned block_size = 1024;
constexpr unsigned blocks_per_multiprocessor = 2;
constexpr unsigned quads_at_once = 4;

// Both are 0 before a launch. The last block sets them to 0 again.
__device__ unsigned long long total;
__device__ unsigned blocks_done;

/// The sum of all lanes' numbers, for lane 0.
__device__ long long sum_of_warp(long long sum) {
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(all_lanes, sum, distance);
    return sum;
}

/// The sum of all threads' numbers, for thread 0. Every thread of the block must call it.
__device__ long long sum_of_block(long long sum) {
    constexpr unsigned warps = block_size / warp_size;
    __shared__ long long sums[warps];
    const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;

    sum = sum_of_warp(sum);
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    if (warp == 0) sum = sum_of_warp(lane < warps ? sums[lane] : 0);
    return sum;
}

__device__ long long sum_of_quad(int4 quad) {
    return static_cast<long long>(quad.x) + quad.y + quad.z + quad.w;
}

/// streaming: the L2 cache is to replace this quad first, since nobody reads it again.
template <bool streaming>
__device__ int4 load(const int4* quad) {
    return streaming ? __ldcs(quad) : *quad;
}

/// The sum of this thread's share of the n ints. head: how many come before the first 16-byte boundary.
template <bool streaming>
__device__ long long sum_of_thread(const int* values, std::size_t n, std::size_t head) {
    const int4* quads = reinterpret_cast<const int4*>(values + head);
    const std::size_t count = (n - head) / 4;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;

    long long sum = 0;
    std::size_t i = first;
    for (; i + (quads_at_once - 1) * stride < count; i += quads_at_once * stride) {
        int4 loaded[quads_at_once];
        for (unsigned k = 0; k < quads_at_once; ++k) loaded[k] = load<streaming>(quads + i + k * stride);
        for (unsigned k = 0; k < quads_at_once; ++k) sum += sum_of_quad(loaded[k]);
    }
    for (; i < count; i += stride) sum += sum_of_quad(load<streaming>(quads + i));

    if (first < head) sum += values[first];
    const std::size_t tail = head + 4 * count + first;
    if (tail < n) sum += values[tail];
    return sum;
}

template <bool streaming>
__global__ void __launch_bounds__(block_size)
    add_all(const int* values, std::size_t n, std::size_t head, long long* result) {
    const long long sum = sum_of_block(sum_of_thread<streaming>(values, n, head));
    if (threadIdx.x != 0) return;

    atomicAdd(&total, static_cast<unsigned long long>(sum));
    __threadfence();  // release: a block that sees this one counted also sees its sum in the total
    const bool last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;  // then blocks_done is 0 again
    if (!last) return;
    __threadfence();
    *result = static_cast<long long>(atomicExch(&total, 0));
}

template <bool streaming>
void launch(const int* values, std::size_t n, long long* result) {
    const unsigned blocks = multiprocessors() * blocks_per_multiprocessor;
    add_all<streaming><<<blocks, block_size>>>(values, n, std::min(to_boundary(values), n), result);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void vectorized(const int* values, std::size_t n, long long* result) {
    launch<false>(values, n, result);
}

void streaming(const int* values, std::size_t n, long long* result) {
    launch<true>(values, n, result);
}

STAGES(Stage{{"16-byte loads, several on the way; one launch does it all", vectorized}},
       Stage{{"streaming", "the same, and the L2 cache is to replace the ints first", streaming}});

}  // namespace atomic_sum
