// NVIDIA's answer: CUB's radix sort, which compares nothing. It looks at 8 bits of each key at a time and takes four
// passes over the data, whatever n is. It sorts the keys of keys.h, since its own order of floats puts NaNs with a sign
// first and does not tell -0 from +0. Two small kernels make keys of values and values of keys.

#include <cub/device/device_radix_sort.cuh>

#include "bubble_sort.h"
#include "common/check.h"
#include "common/device_buffer.h"
#include "keys.h"

namespace bubble_sort {
namespace {

constexpr unsigned block_size = 256;

template <class T>
__global__ void make_keys(const T* values, Key* keys, std::size_t n) {
    const std::size_t i = std::size_t{blockIdx.x} * block_size + threadIdx.x;
    if (i < n) keys[i] = key_of(values[i]);
}

template <class T>
__global__ void make_values(const Key* keys, T* values, std::size_t n) {
    const std::size_t i = std::size_t{blockIdx.x} * block_size + threadIdx.x;
    if (i < n) values[i] = value_of<T>(keys[i]);
}

}  // namespace

template <class T>
void library(const T* in, T* out, std::size_t n) {
    if (n == 0) return;
    static DeviceBuffer<Key> keys, sorted;  // kept from call to call: allocating takes longer than sorting
    static DeviceBuffer<unsigned char> scratch;
    if (keys.size() < n) {
        keys = DeviceBuffer<Key>(n);
        sorted = DeviceBuffer<Key>(n);
    }
    std::size_t needed = 0;
    CUDA_CHECK(cub::DeviceRadixSort::SortKeys(nullptr, needed, keys.data(), sorted.data(), n));
    if (scratch.size() < needed) scratch = DeviceBuffer<unsigned char>(needed);

    const auto blocks = static_cast<unsigned>((n + block_size - 1) / block_size);
    make_keys<<<blocks, block_size>>>(in, keys.data(), n);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cub::DeviceRadixSort::SortKeys(scratch.data(), needed, keys.data(), sorted.data(), n));
    make_values<<<blocks, block_size>>>(sorted.data(), out, n);
    CUDA_CHECK_LAUNCH();
}

template void library(const float*, float*, std::size_t);
template void library(const int*, int*, std::size_t);

template <class T>
constexpr Stage<T> library_stage{{"cub::DeviceRadixSort", library<T>}};
STAGES(library_stage<float>, library_stage<int>);

}  // namespace bubble_sort
