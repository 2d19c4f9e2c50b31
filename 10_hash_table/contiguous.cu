#include "contiguous.h"

#include <algorithm>

#include "block_scan.h"
#include "common/check.h"
#include "common/memory.h"
#include "grid.h"

namespace hash_table {
namespace {

/// A warp for each find: its lanes compare 32 neighbouring keys of the bucket at once.
__global__ void find_in_buckets(const unsigned* begin, unsigned buckets, const Key* table_keys,
                                const Value* table_values, const Key* keys, std::size_t n, Value* values) {
    const unsigned lane = threadIdx.x % warp_size;
    const std::size_t warps = std::size_t{gridDim.x} * blockDim.x / warp_size;
    for (std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / warp_size; i < n; i += warps) {
        const Key key = keys[i];
        const unsigned bucket = bucket_of(key, buckets), end = begin[bucket + 1];
        Value value = absent;
        for (unsigned first = begin[bucket]; first < end; first += warp_size) {
            const unsigned j = first + lane;
            const unsigned matches = __ballot_sync(full_warp, j < end && table_keys[j] == key);
            if (matches != 0) {
                value = table_values[first + __ffs(static_cast<int>(matches)) - 1];
                break;
            }
        }
        if (lane == 0) values[i] = value;
    }
}

}  // namespace

Contiguous::Contiguous(std::size_t buckets, std::size_t capacity) : Table(buckets, capacity) {
    require_memory(8.0 * static_cast<double>(capacity) + 4.0 * static_cast<double>(buckets), 0);
    keys_ = DeviceBuffer<Key>(capacity);
    values_ = DeviceBuffer<Value>(capacity);
    begin_ = DeviceBuffer<unsigned>(buckets + 1);
    CUDA_CHECK(cudaMemset(begin_.data(), 0, begin_.size() * sizeof(unsigned)));
}

void Contiguous::find(const Key* keys, std::size_t n, Value* values) const {
    if (n == 0) return;
    constexpr std::size_t most_blocks = std::size_t{1} << 20;
    const auto blocks = static_cast<unsigned>(std::min(most_blocks, (n * warp_size + block_size - 1) / block_size));
    find_in_buckets<<<blocks, block_size>>>(begin_.data(), buckets(), keys_.data(), values_.data(), keys, n, values);
    CUDA_CHECK_LAUNCH();
}

Contents Contiguous::copy_table_to_host() const {
    const std::vector<unsigned> begin = begin_.to_host();
    std::vector<Key> keys(size());
    std::vector<Value> values(size());
    keys_.copy_to(keys);
    values_.copy_to(values);

    Contents contents;
    contents.begin.assign(begin.begin(), begin.end());
    contents.pairs.reserve(size());
    for (std::size_t i = 0; i < size(); ++i) contents.pairs.push_back({keys[i], values[i]});
    return contents;
}

}  // namespace hash_table
