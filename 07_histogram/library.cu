// NVIDIA's answer: CUB's histogram of 256 even bins. Its counters have 32 bits here, which is what it is fast with; a
// second, tiny kernel makes them 64 bits wide, and adds up the pieces of an input too long for 32.

#include <algorithm>
#include <cub/device/device_histogram.cuh>

#include "common/check.h"
#include "common/device_buffer.h"
#include "histogram.h"

namespace histogram {
namespace {

constexpr std::size_t piece = std::size_t{1} << 31;

__global__ void add(const unsigned* part, Count* counts, bool first) {
    counts[threadIdx.x] = (first ? 0 : counts[threadIdx.x]) + part[threadIdx.x];
}

std::size_t count(void* storage, std::size_t storage_bytes, const std::uint8_t* data, std::size_t n, unsigned* counts) {
    CUDA_CHECK(cub::DeviceHistogram::HistogramEven(storage, storage_bytes, data, counts, bins + 1, 0,
                                                   static_cast<int>(bins), n));
    return storage_bytes;
}

}  // namespace

void library(const std::uint8_t* data, std::size_t n, Count* counts) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, bins * sizeof(Count)));

    // Kept from call to call: allocating would cost more than counting.
    static DeviceBuffer<unsigned> part(bins);
    static DeviceBuffer<unsigned char> storage;
    for (std::size_t begin = 0; begin < n; begin += piece) {
        const std::size_t length = std::min(piece, n - begin);
        const std::size_t needed = count(nullptr, 0, data + begin, length, part.data());
        if (storage.size() < needed) storage = DeviceBuffer<unsigned char>(needed);

        count(storage.data(), storage.size(), data + begin, length, part.data());
        add<<<1, bins>>>(part.data(), counts, begin == 0);
        CUDA_CHECK_LAUNCH();
    }
}

}  // namespace histogram
