// New here: many blocks. Each sorts a window of the array as in stage 3. In the next launch the windows lie half a
// window further on, so that values can travel from one window to the next. The windows' halves behave like the values
// of stage 2: as many launches are needed as there are halves.
// What remains: a barrier for each phase inside a window. And each window is sorted anew, though its halves are sorted.

#include "bubble_sort.h"
#include "common/check.h"
#include "keys.h"
#include "windows.h"

namespace bubble_sort {
namespace {

constexpr unsigned block_size = 512;
constexpr unsigned window = 2 * block_size;

template <class T>
__global__ void sort_windows(const T* in, T* out, std::size_t n, std::size_t offset) {
    const std::size_t begin = offset + std::size_t{blockIdx.x} * window;
    const auto size = static_cast<unsigned>(n - begin < window ? n - begin : window);

    __shared__ Key keys[window];
    for (unsigned i = threadIdx.x; i < size; i += block_size) keys[i] = key_of(in[begin + i]);
    __syncthreads();

    for (unsigned phase = 0; phase < size; ++phase) {
        const unsigned k = 2 * threadIdx.x + phase % 2;
        if (k + 1 < size && keys[k + 1] < keys[k]) {
            const Key left = keys[k];
            keys[k] = keys[k + 1];
            keys[k + 1] = left;
        }
        __syncthreads();
    }

    for (unsigned i = threadIdx.x; i < size; i += block_size) out[begin + i] = value_of<T>(keys[i]);
}

}  // namespace

template <class T>
void multi_block(const T* in, T* out, std::size_t n) {
    const Windows windows{n, window / 2};
    for (std::size_t phase = 0; phase < windows.halves(); ++phase) {
        const auto blocks = static_cast<unsigned>(windows.count(phase));
        if (blocks == 0) continue;
        sort_windows<<<blocks, block_size>>>(phase == 0 ? in : out, out, n, windows.offset(phase));
        CUDA_CHECK_LAUNCH();
    }
}

template void multi_block(const float*, float*, std::size_t);
template void multi_block(const int*, int*, std::size_t);

template <class T>
constexpr Stage<T> multi_block_stage{{"windows in shared memory, moved by half a window in turn", multi_block<T>},
                                     1 << 20};
STAGES(multi_block_stage<float>, multi_block_stage<int>);

}  // namespace bubble_sort
