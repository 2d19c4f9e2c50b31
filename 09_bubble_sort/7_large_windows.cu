// New here: a window of 60 KiB. A kernel gets 48 KiB of shared memory at most, unless it asks for more and declares its
// array without a size. Every device from compute capability 7.0 on has 64 KiB or more for a block. With windows 6.7
// times as large there are 6.7 times fewer launches.
// What remains: fewer windows mean fewer blocks, and a launch costs as much as before.

#include "bubble_sort.h"
#include "common/check.h"
#include "merge.h"
#include "windows.h"

namespace bubble_sort {
namespace {

constexpr unsigned block_size = 1024;
constexpr unsigned per_thread = 15;
constexpr unsigned window = block_size * per_thread;
constexpr unsigned shared_bytes = window * sizeof(Key);

template <class T>
__global__ void __launch_bounds__(block_size) sort_windows(const T* in, T* out, std::size_t n) {
    extern __shared__ Key shared[];
    const std::size_t begin = std::size_t{blockIdx.x} * window;
    const auto size = static_cast<unsigned>(n - begin < window ? n - begin : window);
    load(in + begin, size, shared, window);

    Key keys[per_thread];
#pragma unroll
    for (unsigned r = 0; r < per_thread; ++r) keys[r] = shared[threadIdx.x * per_thread + r];
    sort(keys, shared, size);
    store(keys, shared, out + begin, size);
}

template <class T>
__global__ void __launch_bounds__(block_size) merge_halves(T* values, std::size_t n, std::size_t offset) {
    extern __shared__ Key shared[];
    const std::size_t begin = offset + std::size_t{blockIdx.x} * window;
    const auto size = static_cast<unsigned>(n - begin < window ? n - begin : window);
    load(values + begin, size, shared, window);

    constexpr unsigned half = window / 2;
    Key keys[per_thread];
    merge(shared, half, shared + half, half, threadIdx.x * per_thread, keys);
    store(keys, shared, values + begin, size);
}

}  // namespace

template <class T>
void large_windows(const T* in, T* out, std::size_t n) {
    CUDA_CHECK(cudaFuncSetAttribute(sort_windows<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
    CUDA_CHECK(cudaFuncSetAttribute(merge_halves<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));

    const Windows windows{n, window / 2};
    for (std::size_t phase = 0; phase < windows.halves(); ++phase) {
        const auto blocks = static_cast<unsigned>(windows.count(phase));
        if (blocks == 0) continue;
        if (phase == 0)
            sort_windows<<<blocks, block_size, shared_bytes>>>(in, out, n);
        else
            merge_halves<<<blocks, block_size, shared_bytes>>>(out, n, windows.offset(phase));
        CUDA_CHECK_LAUNCH();
    }
}

template void large_windows(const float*, float*, std::size_t);
template void large_windows(const int*, int*, std::size_t);

template <class T>
constexpr Stage<T> large_windows_stage{
    {"more shared memory than 48 KiB: fewer, larger windows", large_windows<T>, more_than_48_kib}, 1 << 22};
STAGES(large_windows_stage<float>, large_windows_stage<int>);

}  // namespace bubble_sort
