// New here: the last block ends it. Each block adds its sum to one word in global memory and then counts itself. The
// block that counts itself last knows that all others are done, and writes the result. (The CUDA C++ Programming Guide
// shows this under memory fence functions.) atomicInc wraps to 0 by itself, so the next launch needs no memset.
// What it should save: the copies and the wait; and there can be as many blocks as the device holds.
// What remains: nine barriers in every block, with fewer threads at work after each. And the blocks add in the order in
// which they happen to end, so the last digits may differ from run to run.

#include <algorithm>

#include "common/check.h"
#include "common/device.h"
#include "dot_product.h"
#include "roundings.h"

namespace dot_product {
namespace {

constexpr unsigned block_size = 256;  // a power of two, for the tree
constexpr unsigned blocks_per_multiprocessor = 8;

__device__ void add_to_result(float block_sum, Workspace* workspace, float* result) {
    atomicAdd(&workspace->sum, block_sum);
    __threadfence();  // Others see the sum no later than the count.
    const bool last = atomicInc(&workspace->arrived, gridDim.x - 1) == gridDim.x - 1;
    if (!last) return;
    __threadfence();  // The sum is read after the count.
    *result = atomicExch(&workspace->sum, 0.0f);
}

__global__ void dot(const float* a, const float* b, std::size_t n, float* result, Workspace* workspace) {
    __shared__ float cache[block_size];

    float sum = 0;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) sum += a[i] * b[i];
    cache[threadIdx.x] = sum;
    __syncthreads();

    for (unsigned half = block_size / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) add_to_result(cache[0], workspace, result);
}

unsigned blocks_for(std::size_t n) {
    const std::size_t resident = multiprocessors() * blocks_per_multiprocessor;
    return static_cast<unsigned>(std::clamp<std::size_t>((n + block_size - 1) / block_size, 1, resident));
}

}  // namespace

void one_launch(const float* a, const float* b, std::size_t n, float* result, Workspace* workspace) {
    dot<<<blocks_for(n), block_size>>>(a, b, n, result, workspace);
    CUDA_CHECK_LAUNCH();
}

static std::size_t roundings(std::size_t n) {
    return in_thread(n, std::size_t{blocks_for(n)} * block_size) + in_tree(block_size) + blocks_for(n);
}

STAGES(Stage{{"the last block ends it; a grid that fits the device", one_launch}, roundings, true});

}  // namespace dot_product
