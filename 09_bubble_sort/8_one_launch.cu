// New here: all phases in one launch. A cooperative launch promises that all blocks run at the same time, so that they
// can wait for each other: grid.sync() is a barrier of the whole grid, and takes the place of a launch. The grid has as
// many blocks as the device holds at once, and loops over the windows of a phase.
// Needs compute capability 7.0, for windows as large as those of stage 7.
// What remains: as many phases as there are halves of windows, since values move to the next window only.

#include <algorithm>

#include <cooperative_groups.h>

#include "bubble_sort.h"
#include "common/check.h"
#include "common/device.h"
#include "merge.h"
#include "windows.h"

namespace bubble_sort {
namespace {

constexpr unsigned block_size = 1024;
constexpr unsigned per_thread = 15;
constexpr unsigned window = block_size * per_thread;
constexpr unsigned shared_bytes = window * sizeof(Key);

template <class T>
__global__ void __launch_bounds__(block_size) sort_all(const T* in, T* out, std::size_t n) {
    extern __shared__ Key shared[];
    const auto grid = cooperative_groups::this_grid();
    const Windows windows{n, window / 2};

    for (std::size_t phase = 0; phase < windows.halves(); ++phase) {
        for (std::size_t w = blockIdx.x; w < windows.count(phase); w += gridDim.x) {
            const std::size_t begin = windows.offset(phase) + w * window;
            const auto size = static_cast<unsigned>(n - begin < window ? n - begin : window);
            load((phase == 0 ? in : out) + begin, size, shared, window);

            constexpr unsigned half = window / 2;
            const unsigned first = threadIdx.x * per_thread;
            Key keys[per_thread];
            if (phase == 0) {
#pragma unroll
                for (unsigned r = 0; r < per_thread; ++r) keys[r] = shared[first + r];
                sort(keys, shared, size);
            } else {
                merge(shared, half, shared + half, half, first, keys);
            }
            store(keys, shared, out + begin, size);
            __syncthreads();  // shared memory is free for the next window
        }
        grid.sync();
    }
}

}  // namespace

template <class T>
void one_launch(const T* in, T* out, std::size_t n) {
    if (n == 0) return;
    CUDA_CHECK(cudaFuncSetAttribute(sort_all<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
    int per_multiprocessor = 0;
    CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, sort_all<T>, block_size, shared_bytes));
    const std::size_t most = std::size_t{multiprocessors()} * per_multiprocessor;
    const auto blocks = static_cast<unsigned>(std::min(most, Windows{n, window / 2}.count(0)));

    void* arguments[] = {&in, &out, &n};
    const auto kernel = reinterpret_cast<const void*>(sort_all<T>);  // CUDA 12 does not take a template by its name
    CUDA_CHECK(cudaLaunchCooperativeKernel(kernel, blocks, block_size, arguments, shared_bytes, nullptr));
}

template void one_launch(const float*, float*, std::size_t);
template void one_launch(const int*, int*, std::size_t);

template <class T>
constexpr Stage<T> one_launch_stage{{"barriers of the whole grid instead of launches", one_launch<T>, more_than_48_kib},
                                    1 << 22};
STAGES(one_launch_stage<float>, one_launch_stage<int>);

}  // namespace bubble_sort
