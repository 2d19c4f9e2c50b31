// New here: many threads. Each adds up products of its own. Then the 256 sums of a block meet in shared memory, in a
// tree: half of the threads add the other half's sums to theirs, then a quarter does, and so on.
// What remains: one sum for each block, which the CPU fetches and adds. So there are only 32 blocks, too few for a
// large device, and the CPU has to wait for the GPU in the middle of the work.

#include <algorithm>

#include "common/check.h"
#include "dot_product.h"
#include "roundings.h"

namespace dot_product {
namespace {

constexpr unsigned block_size = 256;  // a power of two, for the tree
constexpr unsigned max_blocks = 32;

// The index is signed: a signed number must not overflow, so nvcc may unroll the first loop.
__global__ void dot(const float* a, const float* b, long long n, float* block_sums) {
    __shared__ float cache[block_size];

    float sum = 0;
    const long long stride = 1LL * gridDim.x * blockDim.x;
    for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) sum += a[i] * b[i];
    cache[threadIdx.x] = sum;
    __syncthreads();

    for (unsigned half = block_size / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();  // Not inside the if: a barrier waits for all threads of the block.
    }
    if (threadIdx.x == 0) block_sums[blockIdx.x] = cache[0];
}

unsigned blocks_for(std::size_t n) {
    return static_cast<unsigned>(std::clamp<std::size_t>((n + block_size - 1) / block_size, 1, max_blocks));
}

}  // namespace

void shared_tree(const float* a, const float* b, std::size_t n, float* result, Workspace* workspace) {
    const unsigned blocks = blocks_for(n);
    dot<<<blocks, block_size>>>(a, b, static_cast<long long>(n), workspace->block_sums);
    CUDA_CHECK_LAUNCH();

    float block_sums[max_blocks];
    CUDA_CHECK(cudaMemcpy(block_sums, workspace->block_sums, blocks * sizeof(float), cudaMemcpyDeviceToHost));
    float sum = 0;
    for (unsigned i = 0; i < blocks; ++i) sum += block_sums[i];
    CUDA_CHECK(cudaMemcpy(result, &sum, sizeof sum, cudaMemcpyHostToDevice));  // Where the next kernel can use it.
}

std::size_t shared_tree_roundings(std::size_t n) {
    return in_thread(n, std::size_t{blocks_for(n)} * block_size) + in_tree(block_size) + blocks_for(n);
}

STAGES(Stage{{"a tree in shared memory, the end on the CPU", shared_tree}, shared_tree_roundings});

}  // namespace dot_product
