// New here: all pairs of a phase are ordered at once, by a thread each. A phase needs the results of the one before, so
// each phase is a launch of its own: a kernel begins when the one before it has ended.
// What remains: n launches. Each moves the whole array from memory and back, for one comparison a pair.

#include "bubble_sort.h"
#include "common/check.h"
#include "keys.h"

namespace bubble_sort {
namespace {

constexpr unsigned block_size = 256;

template <class T>
__global__ void order_pairs(T* values, std::size_t n, unsigned first) {
    const std::size_t k = 2 * (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) + first;
    if (k + 1 >= n) return;  // no pair for this thread

    const T left = values[k], right = values[k + 1];
    if (key_of(right) < key_of(left)) {
        values[k] = right;
        values[k + 1] = left;
    }
}

}  // namespace

template <class T>
void global_memory(const T* in, T* out, std::size_t n) {
    if (n == 0) return;
    CUDA_CHECK(cudaMemcpyAsync(out, in, n * sizeof(T), cudaMemcpyDeviceToDevice));

    const auto blocks = static_cast<unsigned>((n / 2 + block_size - 1) / block_size);
    for (std::size_t phase = 0; phase < n && blocks > 0; ++phase) {
        order_pairs<<<blocks, block_size>>>(out, n, phase % 2);
        CUDA_CHECK_LAUNCH();
    }
}

template void global_memory(const float*, float*, std::size_t);
template void global_memory(const int*, int*, std::size_t);

template <class T>
constexpr Stage<T> global_memory_stage{{"one launch per phase, one thread per pair", global_memory<T>}, 1 << 18};
STAGES(global_memory_stage<float>, global_memory_stage<int>);

}  // namespace bubble_sort
