// New here: after the first launch, both halves of a window are sorted already. To merge them takes one step for each
// key instead of one phase. First each thread finds out where its part of the merged window begins. The first launch
// sorts windows by merges too, of 9 keys, 18, 36 …; only the 9 keys of a thread are sorted by transposition.
// What remains: values still travel half a window in a launch, and there are many launches.

#include "bubble_sort.h"
#include "common/check.h"
#include "merge.h"
#include "windows.h"

namespace bubble_sort {
namespace {

constexpr unsigned block_size = 256;
constexpr unsigned per_thread = 9;  // odd: then the first keys of a warp's 32 lanes lie in 32 banks
constexpr unsigned window = block_size * per_thread;

template <class T>
__global__ void sort_windows(const T* in, T* out, std::size_t n) {
    __shared__ Key shared[window];
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
__global__ void merge_halves(T* values, std::size_t n, std::size_t offset) {
    __shared__ Key shared[window];
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
void merge_windows(const T* in, T* out, std::size_t n) {
    const Windows windows{n, window / 2};
    for (std::size_t phase = 0; phase < windows.halves(); ++phase) {
        const auto blocks = static_cast<unsigned>(windows.count(phase));
        if (blocks == 0) continue;
        if (phase == 0)
            sort_windows<<<blocks, block_size>>>(in, out, n);
        else
            merge_halves<<<blocks, block_size>>>(out, n, windows.offset(phase));
        CUDA_CHECK_LAUNCH();
    }
}

template void merge_windows(const float*, float*, std::size_t);
template void merge_windows(const int*, int*, std::size_t);

template <class T>
constexpr Stage<T> merge_windows_stage{{"windows are sorted once, then their halves merged", merge_windows<T>},
                                       1 << 22};
STAGES(merge_windows_stage<float>, merge_windows_stage<int>);

}  // namespace bubble_sort
