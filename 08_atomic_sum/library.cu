// NVIDIA's answer: CUB's reduction. It adds in the type of the result, here 64 bits, and chooses the grid, the width of
// the loads and the algorithm for the device by itself. It needs scratch memory on the device, and says how much.

#include <cub/device/device_reduce.cuh>

#include <limits>

#include "atomic_sum.h"
#include "common/check.h"
#include "common/device_buffer.h"

namespace atomic_sum {
namespace {

// CUB's indices have the type of n, and 32 bits are less work.
template <class Count>
void sum(const int* values, Count n, long long* result) {
    static DeviceBuffer<unsigned char> scratch;  // kept from call to call: allocating takes longer than adding

    std::size_t needed = 0;
    CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, needed, values, result, n));
    if (scratch.size() < needed) scratch = DeviceBuffer<unsigned char>(needed);
    CUDA_CHECK(cub::DeviceReduce::Sum(scratch.data(), needed, values, result, n));
}

}  // namespace

void library(const int* values, std::size_t n, long long* result) {
    if (n <= std::numeric_limits<int>::max())
        sum(values, static_cast<int>(n), result);
    else
        sum(values, n, result);
}

STAGES(Stage{{"cub::DeviceReduce with a 64-bit sum", library}});

}  // namespace atomic_sum
