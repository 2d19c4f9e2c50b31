// NVIDIA's answer: CUB's histogram, with 256 bins of equal width. It needs scratch memory on the device, and says how
// much. It counts in 32 bits, with which it is fast. A second, tiny kernel widens the counts to 64 bits, and adds up
// the pieces of an input that is too long for 32.

#include <algorithm>
#include <cub/device/device_histogram.cuh>

#include "common/check.h"
#include "common/device_buffer.h"
#include "histogram.h"

namespace histogram {
namespace {

constexpr std::size_t piece = std::size_t{1} << 30;  // CUB's indices have the type of n, and 32 bits are less work

__global__ void add(const unsigned* part, Count* counts, bool first) {
    counts[threadIdx.x] = (first ? 0 : counts[threadIdx.x]) + part[threadIdx.x];
}

void count_piece(const std::uint8_t* data, int n, unsigned* counts) {
    constexpr int levels = bins + 1, lowest = 0, highest = bins;
    static DeviceBuffer<unsigned char> scratch;  // kept from call to call: allocating takes longer than counting

    std::size_t needed = 0;
    CUDA_CHECK(cub::DeviceHistogram::HistogramEven(nullptr, needed, data, counts, levels, lowest, highest, n));
    if (scratch.size() < needed) scratch = DeviceBuffer<unsigned char>(needed);
    CUDA_CHECK(cub::DeviceHistogram::HistogramEven(scratch.data(), needed, data, counts, levels, lowest, highest, n));
}

}  // namespace

void library(const std::uint8_t* data, std::size_t n, Count* counts) {
    if (n == 0) CUDA_CHECK(cudaMemsetAsync(counts, 0, bins * sizeof(Count)));

    static DeviceBuffer<unsigned> part(bins);
    for (std::size_t begin = 0; begin < n; begin += piece) {
        count_piece(data + begin, static_cast<int>(std::min(piece, n - begin)), part.data());
        add<<<1, bins>>>(part.data(), counts, begin == 0);
        CUDA_CHECK_LAUNCH();
    }
}

STAGES(Stage{{"cub::DeviceHistogram::HistogramEven", library}});

}  // namespace histogram
