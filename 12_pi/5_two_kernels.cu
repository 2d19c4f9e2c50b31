// New here: the GPU. 128 blocks of 512 threads share the terms, and each thread keeps its sum in shared memory. A block
// adds its 512 sums as a tree, and a second kernel of one block adds the 128 sums of the blocks. The classic version
// has a barrier inside the loop over the terms. This is undefined where the threads of a block do not make the same
// number of rounds, and not needed, as no thread reads another one's sum there.
// What remains: two divisions a term, and a large device is not filled.

#include <cmath>

#include "common/check.h"
#include "pi.h"

namespace pi {
namespace {

constexpr unsigned blocks = 128;
constexpr unsigned block_size = 512;  // both powers of two, for the tree

/// sums[0] becomes the sum over the block. Every thread of the block must call it.
template <class T>
__device__ void add_up(T* sums) {
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
}

template <class T>
__global__ void sum_terms(Terms terms, T* block_sums) {
    __shared__ T sums[block_size];

    sums[threadIdx.x] = 0;
    const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t i = terms.first + blockIdx.x * blockDim.x + threadIdx.x; i < terms.last; i += stride) {
        const T x = (static_cast<T>(i) + T{0.5}) / static_cast<T>(terms.n);
        sums[threadIdx.x] += T{4} / (T{1} + x * x);
    }
    add_up(sums);
    if (threadIdx.x == 0) block_sums[blockIdx.x] = sums[0];
}

template <class T>
__global__ void sum_blocks(const T* block_sums, std::int64_t n, T* result) {
    __shared__ T sums[blocks];

    sums[threadIdx.x] = block_sums[threadIdx.x];
    add_up(sums);
    if (threadIdx.x == 0) *result = sums[0] / static_cast<T>(n);
}

}  // namespace

template <class T>
void two_kernels(Terms terms, T* result, Workspace<T>* workspace) {
    T* const block_sums = workspace->block_sums;  // an address only: nothing is read here
    sum_terms<<<blocks, block_size>>>(terms, block_sums);
    CUDA_CHECK_LAUNCH();
    sum_blocks<<<1, blocks>>>(block_sums, terms.n, result);
    CUDA_CHECK_LAUNCH();
}

template void two_kernels(Terms, float*, Workspace<float>*);
template void two_kernels(Terms, double*, Workspace<double>*);

static double roundings(Terms terms, unsigned) {
    const std::int64_t steps = (terms.last - terms.first) / (std::int64_t{blocks} * block_size) + 1;
    return roundings_of_a_term + static_cast<double>(steps) + std::log2(block_size) + std::log2(blocks) + 1;
}

template <class T>
constexpr Stage<T> stage{{"128 blocks of 512, sums in shared memory", two_kernels<T>}, roundings};
STAGES(stage<double>, stage<float>);

}  // namespace pi
