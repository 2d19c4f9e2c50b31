// New here: an entry is an index, not an address. Keys, values and links are arrays of their own: a link has 4 bytes, a
// find that walks a list reads only one value, and the table may be copied anywhere, since it holds no pointers.
// What remains: the lists. Each step of a find has to wait for the one before.

#include "common/check.h"
#include "common/device_buffer.h"
#include "common/memory.h"
#include "grid.h"
#include "hash_table.h"

namespace hash_table {
namespace {

constexpr unsigned none = 0xffffffff;  // the end of a list: no table has so many entries

__global__ void add_to_table(const Key* keys, const Value* values, std::size_t n, unsigned* heads, unsigned buckets,
                             Key* table_keys, Value* table_values, unsigned* next) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Key key = keys[i];
    table_keys[i] = key;
    table_values[i] = values[i];
    next[i] = atomicExch(&heads[bucket_of(key, buckets)], static_cast<unsigned>(i));
}

__global__ void find_in_lists(const unsigned* heads, unsigned buckets, const Key* table_keys, const Value* table_values,
                              const unsigned* next, const Key* keys, std::size_t n, Value* values) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Key key = keys[i];
    unsigned entry = heads[bucket_of(key, buckets)];
    while (entry != none && table_keys[entry] != key) entry = next[entry];
    values[i] = entry != none ? table_values[entry] : absent;
}

class Indices final : public Table {
  public:
    Indices(std::size_t buckets, std::size_t capacity) : Table(buckets, capacity) {
        require_memory(12.0 * static_cast<double>(capacity) + 4.0 * static_cast<double>(buckets), 0);
        heads_ = DeviceBuffer<unsigned>(buckets);
        keys_ = DeviceBuffer<Key>(capacity);
        values_ = DeviceBuffer<Value>(capacity);
        next_ = DeviceBuffer<unsigned>(capacity);
        clear();
    }

    void find(const Key* keys, std::size_t n, Value* values) const override {
        if (n == 0) return;
        find_in_lists<<<blocks_for(n), block_size>>>(heads_.data(), buckets(), keys_.data(), values_.data(),
                                                     next_.data(), keys, n, values);
        CUDA_CHECK_LAUNCH();
    }

    Contents copy_table_to_host() const override {
        std::vector<Key> keys(size());
        std::vector<Value> values(size());
        std::vector<unsigned> next(size());
        keys_.copy_to(keys);
        values_.copy_to(values);
        next_.copy_to(next);

        Contents contents;
        contents.pairs.reserve(size());
        for (unsigned entry : heads_.to_host()) {
            contents.begin.push_back(contents.pairs.size());
            for (; entry != none && contents.pairs.size() <= size(); entry = next.at(entry))  // stops in a circle
                contents.pairs.push_back({keys.at(entry), values.at(entry)});
        }
        contents.begin.push_back(contents.pairs.size());
        return contents;
    }

  private:
    void clear() { CUDA_CHECK(cudaMemsetAsync(heads_.data(), 0xff, heads_.size() * sizeof(unsigned))); }  // none

    void insert_all(const Key* keys, const Value* values, std::size_t n) override {
        clear();
        if (n == 0) return;
        add_to_table<<<blocks_for(n), block_size>>>(keys, values, n, heads_.data(), buckets(), keys_.data(),
                                                    values_.data(), next_.data());
        CUDA_CHECK_LAUNCH();
    }

    DeviceBuffer<unsigned> heads_, next_;
    DeviceBuffer<Key> keys_;
    DeviceBuffer<Value> values_;
};

}  // namespace

std::unique_ptr<Table> indices(std::size_t buckets, std::size_t capacity) {
    return std::make_unique<Indices>(buckets, capacity);
}

STAGES(Stage{"lists linked by index, keys and links in arrays of their own", indices});

}  // namespace hash_table
