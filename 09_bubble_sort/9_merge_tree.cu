// New here: values need not walk from neighbour to neighbour. Runs of one tile are merged to runs of two, then of four
// …: about log2(n / tile) launches. Many blocks share a merge, since each can find out where in both runs its tile of
// the result begins.
// What remains: every launch moves all the data, and there are log n of them. That is O(n log n).

#include <utility>

#include "bubble_sort.h"
#include "common/check.h"
#include "common/device_buffer.h"
#include "merge.h"

namespace bubble_sort {
namespace {

constexpr unsigned block_size = 512;
constexpr unsigned per_thread = 9;
constexpr unsigned tile = block_size * per_thread;

template <class T>
__global__ void sort_tiles(const T* in, T* out, std::size_t n) {
    __shared__ Key shared[tile];
    const std::size_t begin = std::size_t{blockIdx.x} * tile;
    const auto size = static_cast<unsigned>(n - begin < tile ? n - begin : tile);
    load(in + begin, size, shared, tile);

    Key keys[per_thread];
#pragma unroll
    for (unsigned r = 0; r < per_thread; ++r) keys[r] = shared[threadIdx.x * per_thread + r];
    sort(keys, shared, size);
    store(keys, shared, out + begin, size);
}

/// Values in device memory, seen as keys.
template <class T>
struct Keys {
    const T* values;

    __device__ Key operator[](std::size_t i) const { return key_of(values[i]); }
};

/// Merges pairs of neighbouring runs. A run is a multiple of a tile, so that no tile belongs to two merges.
template <class T>
__global__ void merge_runs(const T* in, T* out, std::size_t n, std::size_t run) {
    const std::size_t begin = std::size_t{blockIdx.x} * tile, first = begin / (2 * run) * (2 * run);
    const auto size = static_cast<unsigned>(n - begin < tile ? n - begin : tile);
    const T* a = in + first;
    const std::size_t a_size = n - first < run ? n - first : run;
    const T* b = a + a_size;
    const std::size_t rest = n - first - a_size, b_size = rest < run ? rest : run;

    // The tile's part of a begins at from_a[0] and ends before from_a[1]; the rest of the tile comes from b.
    __shared__ std::size_t from_a[2];
    if (threadIdx.x < 2)
        from_a[threadIdx.x] =
            merge_path(Keys<T>{a}, a_size, Keys<T>{b}, b_size, begin - first + (threadIdx.x == 0 ? 0 : size));
    __syncthreads();
    const std::size_t i = from_a[0], j = begin - first - i;
    const auto a_keys = static_cast<unsigned>(from_a[1] - i);

    __shared__ Key shared[tile];
    for (unsigned k = threadIdx.x; k < size; k += block_size)
        shared[k] = key_of(k < a_keys ? a[i + k] : b[j + (k - a_keys)]);
    __syncthreads();

    Key keys[per_thread];
    const unsigned skip = threadIdx.x * per_thread;
    merge(shared, a_keys, shared + a_keys, size - a_keys, skip < size ? skip : size, keys);
    store(keys, shared, out + begin, size);
}

}  // namespace

template <class T>
void merge_tree(const T* in, T* out, std::size_t n) {
    if (n == 0) return;
    static DeviceBuffer<T> scratch;  // kept from call to call: allocating takes longer than sorting
    if (scratch.size() < n) scratch = DeviceBuffer<T>(n);

    unsigned levels = 0;
    for (std::size_t run = tile; run < n; run *= 2) ++levels;

    // Each level moves the runs from one array to the other. The last level must end in out.
    T *from = levels % 2 == 0 ? out : scratch.data(), *to = levels % 2 == 0 ? scratch.data() : out;
    const auto blocks = static_cast<unsigned>((n + tile - 1) / tile);
    sort_tiles<<<blocks, block_size>>>(in, from, n);
    CUDA_CHECK_LAUNCH();
    for (std::size_t run = tile; run < n; run *= 2) {
        merge_runs<<<blocks, block_size>>>(from, to, n, run);
        CUDA_CHECK_LAUNCH();
        std::swap(from, to);
    }
}

template void merge_tree(const float*, float*, std::size_t);
template void merge_tree(const int*, int*, std::size_t);

template <class T>
constexpr Stage<T> merge_tree_stage{{"runs of double length each time, not neighbours only", merge_tree<T>}};
STAGES(merge_tree_stage<float>, merge_tree_stage<int>);

}  // namespace bubble_sort
