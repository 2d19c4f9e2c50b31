// New here: no second kernel. As soon as a block has its sum, one of its threads adds it to the result. The grid is the
// classic version's: 32 blocks of 256 threads.
// What it saves: a launch, and an array of sums. 32 atomics among ten million additions cost next to nothing.
// What remains: 32 blocks keep at most 32 multiprocessors busy. The variant full_grid launches the same kernel with
// more blocks. The variants managed and managed_variables are the stage itself, in unified memory.

#include <iterator>

#include "atomic_sum.h"
#include "common/check.h"
#include "common/device.h"

namespace atomic_sum {
namespace {

constexpr unsigned block_size = 256;
constexpr unsigned few_blocks = 32;
constexpr unsigned blocks_per_multiprocessor = 8;  // 2048 threads: an H100's multiprocessor holds no more

// Managed memory of a size that is fixed when the program is compiled, and there as long as it runs
__managed__ int source[10'000'000];
__managed__ long long final_result;

/// The sum of all threads' numbers, for thread 0. Every thread of the block must call it.
__device__ long long sum_of_block(long long sum) {
    __shared__ long long sums[block_size];
    sums[threadIdx.x] = sum;
    __syncthreads();

    for (unsigned length = block_size / 2; length > 0; length /= 2) {
        if (threadIdx.x < length) sums[threadIdx.x] += sums[threadIdx.x + length];
        __syncthreads();  // outside of the if: all threads must reach it
    }
    return sums[0];
}

__global__ void add_blocks(const int* values, std::size_t n, unsigned long long* result) {
    long long sum = 0;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) sum += values[i];

    sum = sum_of_block(sum);
    if (threadIdx.x == 0) atomicAdd(result, static_cast<unsigned long long>(sum));
}

void launch(const int* values, std::size_t n, long long* result, unsigned blocks) {
    CUDA_CHECK(cudaMemsetAsync(result, 0, sizeof *result));
    add_blocks<<<blocks, block_size>>>(values, n, reinterpret_cast<unsigned long long*>(result));
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void atomic_per_block(const int* values, std::size_t n, long long* result) {
    launch(values, n, result, few_blocks);
}

void full_grid(const int* values, std::size_t n, long long* result) {
    launch(values, n, result, multiprocessors() * blocks_per_multiprocessor);
}

Variables managed_variables() {
    return {source, std::size(source), &final_result};
}

STAGES(Stage{{"one atomicAdd per block instead of the second kernel", atomic_per_block}},
       Stage{{"managed", "the same kernel on unified memory", atomic_per_block}, 64, Memory::managed},
       Stage{{"managed_variables", "the same in variables that are declared __managed__", atomic_per_block},
             64,
             Memory::managed,
             managed_variables},
       Stage{{"full_grid", "the same kernel with as many blocks as the device holds", full_grid}});

}  // namespace atomic_sum
