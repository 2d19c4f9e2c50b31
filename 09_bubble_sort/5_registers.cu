// New here: a window belongs to a warp. Each lane keeps 32 neighbouring keys in registers, where a pair is ordered by
// min and max. Only one pair in 32 lies in two lanes, which exchange keys by shuffles: no shared memory, no barriers.
// What remains: the number of comparisons still grows with n².

#include "bubble_sort.h"
#include "common/check.h"
#include "keys.h"
#include "windows.h"

namespace bubble_sort {
namespace {

constexpr unsigned warp_size = 32;
constexpr unsigned keys_per_lane = 32;
constexpr unsigned window = warp_size * keys_per_lane;
constexpr unsigned all_lanes = 0xffff'ffff;

__device__ void order(Key& left, Key& right) {
    const Key smaller = min(left, right);
    right = max(left, right);
    left = smaller;
}

template <class T>
__global__ void sort_windows(const T* in, T* out, std::size_t n, std::size_t offset) {
    const std::size_t begin = offset + std::size_t{blockIdx.x} * window;
    const auto size = static_cast<unsigned>(n - begin < window ? n - begin : window);
    const unsigned lane = threadIdx.x, first = lane * keys_per_lane;

    Key keys[keys_per_lane];
#pragma unroll
    for (unsigned r = 0; r < keys_per_lane; ++r) keys[r] = first + r < size ? key_of(in[begin + first + r]) : last_key;

    for (unsigned phase = 0; phase < size; phase += 2) {
#pragma unroll
        for (unsigned r = 0; r + 1 < keys_per_lane; r += 2) order(keys[r], keys[r + 1]);

#pragma unroll
        for (unsigned r = 1; r + 1 < keys_per_lane; r += 2) order(keys[r], keys[r + 1]);
        const Key before = __shfl_up_sync(all_lanes, keys[keys_per_lane - 1], 1);
        const Key after = __shfl_down_sync(all_lanes, keys[0], 1);
        if (lane > 0) keys[0] = max(keys[0], before);
        if (lane + 1 < warp_size) keys[keys_per_lane - 1] = min(keys[keys_per_lane - 1], after);
    }

#pragma unroll
    for (unsigned r = 0; r < keys_per_lane; ++r)
        if (first + r < size) out[begin + first + r] = value_of<T>(keys[r]);
}

}  // namespace

template <class T>
void registers(const T* in, T* out, std::size_t n) {
    const Windows windows{n, window / 2};
    for (std::size_t phase = 0; phase < windows.halves(); ++phase) {
        const auto blocks = static_cast<unsigned>(windows.count(phase));
        if (blocks == 0) continue;
        sort_windows<<<blocks, warp_size>>>(phase == 0 ? in : out, out, n, windows.offset(phase));
        CUDA_CHECK_LAUNCH();
    }
}

template void registers(const float*, float*, std::size_t);
template void registers(const int*, int*, std::size_t);

template <class T>
constexpr Stage<T> registers_stage{{"one window per warp, in registers: shuffles, no barriers", registers<T>}, 1 << 20};
STAGES(registers_stage<float>, registers_stage<int>);

}  // namespace bubble_sort
