// NVIDIA's answer: CUB sorts the pairs by the bits of the key that give the bucket, ten bits for 1,024 buckets. So the
// number of buckets must be a power of two. Where each bucket begins is found by bisection afterwards.

#include <bit>
#include <cub/device/device_radix_sort.cuh>

#include "common/check.h"
#include "common/errors.h"
#include "contiguous.h"
#include "grid.h"

namespace hash_table {
namespace {

__global__ void find_begins(const Key* keys, unsigned n, unsigned buckets, unsigned* begin) {
    const unsigned bucket = blockIdx.x * blockDim.x + threadIdx.x;
    if (bucket > buckets) return;
    unsigned low = 0, high = n;  // the first key of this bucket or a later one is in [low, high]
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (bucket_of(keys[middle], buckets) < bucket)
            low = middle + 1;
        else
            high = middle;
    }
    begin[bucket] = low;
}

class Library final : public Contiguous {
  public:
    Library(std::size_t buckets, std::size_t capacity) : Contiguous(buckets, capacity) {
        if (!std::has_single_bit(buckets))
            throw usage_error("library: the number of buckets must be a power of two, not " + std::to_string(buckets));
    }

  private:
    void insert_all(const Key* keys, const Value* values, std::size_t n) override {
        const int bits = std::countr_zero(buckets());
        if (bits == 0) {  // one bucket: nothing to sort by
            CUDA_CHECK(cudaMemcpyAsync(keys_.data(), keys, n * sizeof(Key), cudaMemcpyDeviceToDevice));
            CUDA_CHECK(cudaMemcpyAsync(values_.data(), values, n * sizeof(Value), cudaMemcpyDeviceToDevice));
        } else if (n > 0) {
            sort(keys, values, static_cast<int>(n), bits);
        }
        find_begins<<<blocks_for(buckets() + 1), block_size>>>(keys_.data(), static_cast<unsigned>(n), buckets(),
                                                               begin_.data());
        CUDA_CHECK_LAUNCH();
    }

    void sort(const Key* keys, const Value* values, int n, int bits) {
        std::size_t needed = 0;
        CUDA_CHECK(
            cub::DeviceRadixSort::SortPairs(nullptr, needed, keys, keys_.data(), values, values_.data(), n, 0, bits));
        if (scratch_.size() < needed) scratch_ = DeviceBuffer<unsigned char>(needed);
        CUDA_CHECK(cub::DeviceRadixSort::SortPairs(scratch_.data(), needed, keys, keys_.data(), values, values_.data(),
                                                   n, 0, bits));
    }

    DeviceBuffer<unsigned char> scratch_;
};

}  // namespace

std::unique_ptr<Table> library(std::size_t buckets, std::size_t capacity) {
    return std::make_unique<Library>(buckets, capacity);
}

STAGES(Stage{"cub::DeviceRadixSort on the bits of the bucket", library});

}  // namespace hash_table
