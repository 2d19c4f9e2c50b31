// New here: one block keeps all keys in shared memory and does all phases in one launch, with a barrier after each.
// There is a thread for each pair, and a block has at most 1024 threads, so n is at most 2 · 1024 + 1.
// What remains: one multiprocessor works, and all others are idle. The variant global shows what shared memory saves.

#include <algorithm>
#include <string>

#include "bubble_sort.h"
#include "common/check.h"
#include "common/errors.h"
#include "keys.h"

namespace bubble_sort {
namespace {

template <class T>
__global__ void sort_block(const T* in, T* out, unsigned n) {
    __shared__ Key keys[one_block_most + 1];
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) keys[i] = key_of(in[i]);
    if (threadIdx.x == 0) keys[n] = last_key;  // No key is larger, so it stays, and no pair needs a check.
    __syncthreads();

    for (unsigned phase = 0; phase < n; ++phase) {
        const unsigned k = 2 * threadIdx.x + phase % 2;
        if (keys[k + 1] < keys[k]) {
            const Key left = keys[k];
            keys[k] = keys[k + 1];
            keys[k + 1] = left;
        }
        __syncthreads();  // for all threads, also those without a pair
    }

    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) out[i] = value_of<T>(keys[i]);
}

/// The same phases on the array in global memory. It has no room for last_key, so a thread asks for its pair.
template <class T>
__global__ void sort_block_in_global_memory(const T* in, T* out, unsigned n) {
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) out[i] = in[i];
    __syncthreads();

    for (unsigned phase = 0; phase < n; ++phase) {
        const unsigned k = 2 * threadIdx.x + phase % 2;
        if (k + 1 < n) {
            const T left = out[k], right = out[k + 1];
            if (key_of(right) < key_of(left)) {
                out[k] = right;
                out[k + 1] = left;
            }
        }
        __syncthreads();  // also orders what the block's threads read and write in global memory
    }
}

/// A thread for each pair of n values, and at least one.
unsigned block_size(std::size_t n) {
    if (n > one_block_most)
        throw usage_error("3_shared_one_block sorts at most " + std::to_string(one_block_most) +
                          " values: a block has 1024 threads, and each orders a pair");
    return static_cast<unsigned>(std::max<std::size_t>(1, n / 2));
}

}  // namespace

template <class T>
void shared_one_block(const T* in, T* out, std::size_t n) {
    if (n == 0) return;
    sort_block<<<1, block_size(n)>>>(in, out, static_cast<unsigned>(n));
    CUDA_CHECK_LAUNCH();
}

template void shared_one_block(const float*, float*, std::size_t);
template void shared_one_block(const int*, int*, std::size_t);

template <class T>
void in_global_memory(const T* in, T* out, std::size_t n) {
    if (n == 0) return;
    sort_block_in_global_memory<<<1, block_size(n)>>>(in, out, static_cast<unsigned>(n));
    CUDA_CHECK_LAUNCH();
}

template <class T>
constexpr Stage<T> shared_one_block_stage{
    {"one block, all phases in its shared memory", shared_one_block<T>}, unlimited, one_block_most};
template <class T>
constexpr Stage<T> global_stage{
    {"global", "the same phases on global memory", in_global_memory<T>}, unlimited, one_block_most};
STAGES(shared_one_block_stage<float>, shared_one_block_stage<int>, global_stage<float>, global_stage<int>);

}  // namespace bubble_sort
