// New here: a thread for each int, and all of them add to one number in global memory. atomicAdd makes reading, adding
// and writing one step, so that no addition is lost.
// What remains: contention. One address takes one addition at a time, so the threads queue up there, and the memory is
// idle.

#include "atomic_sum.h"
#include "common/check.h"

namespace atomic_sum {
namespace {

constexpr unsigned block_size = 256;

// There is no atomicAdd for long long, and none is needed: adding a negative number in unsigned arithmetic gives the
// same bits.
template <class Sum>
__global__ void add_each(const int* values, std::size_t n, Sum* result) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(result, static_cast<Sum>(values[i]));
}

template <class Sum>
void launch(const int* values, std::size_t n, long long* result) {
    CUDA_CHECK(cudaMemsetAsync(result, 0, sizeof *result));
    if (n == 0) return;
    const auto blocks = static_cast<unsigned>((n + block_size - 1) / block_size);
    add_each<<<blocks, block_size>>>(values, n, reinterpret_cast<Sum*>(result));
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void atomic_per_thread(const int* values, std::size_t n, long long* result) {
    launch<unsigned long long>(values, n, result);
}

// Adds to the low half of the result, which comes first in memory.
void in_32_bits(const int* values, std::size_t n, long long* result) {
    launch<unsigned>(values, n, result);
}

STAGES(Stage{{"every thread adds its int to the one result", atomic_per_thread}},
       Stage{{"32_bits", "an int: nvcc sums each warp first, and the result overflows", in_32_bits}, 32});

}  // namespace atomic_sum
