#include "chains.h"

#include "common/check.h"
#include "common/memory.h"
#include "grid.h"

namespace hash_table {
namespace {

__global__ void find_in_chains(Entry* const* heads, unsigned buckets, unsigned apart, const Key* keys, std::size_t n,
                               Value* values) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Key key = keys[i];
    const Entry* entry = heads[std::size_t{bucket_of(key, buckets)} * apart];
    while (entry != nullptr && entry->key != key) entry = entry->next;
    values[i] = entry != nullptr ? entry->value : absent;
}

}  // namespace

Chains::Chains(std::size_t buckets, std::size_t capacity, unsigned apart) : Table(buckets, capacity), apart_(apart) {
    require_memory(
        static_cast<double>(capacity) * sizeof(Entry) + static_cast<double>(buckets) * apart * sizeof(Entry*), 0);
    heads_ = DeviceBuffer<Entry*>(buckets * apart);
    pool_ = DeviceBuffer<Entry>(capacity);
    clear();
}

void Chains::clear() {
    CUDA_CHECK(cudaMemsetAsync(heads_.data(), 0, heads_.size() * sizeof(Entry*)));
}

void Chains::find(const Key* keys, std::size_t n, Value* values) const {
    if (n == 0) return;
    find_in_chains<<<blocks_for(n), block_size>>>(heads_.data(), buckets(), apart_, keys, n, values);
    CUDA_CHECK_LAUNCH();
}

Contents Chains::copy_table_to_host() const {
    std::vector<Entry*> heads = heads_.to_host();
    std::vector<Entry> pool(size());
    pool_.copy_to(pool);

    const auto relocate = [&](Entry*& pointer) {
        if (pointer != nullptr) pointer = pool.data() + (pointer - pool_.data());
    };
    for (Entry*& head : heads) relocate(head);
    for (Entry& entry : pool) relocate(entry.next);

    Contents contents;
    contents.pairs.reserve(size());
    for (std::size_t head = 0; head < heads.size(); head += apart_) {
        const Entry* entry = heads[head];
        contents.begin.push_back(contents.pairs.size());
        for (; entry != nullptr && contents.pairs.size() <= size(); entry = entry->next)  // stops in a circle
            contents.pairs.push_back({entry->key, entry->value});
    }
    contents.begin.push_back(contents.pairs.size());
    return contents;
}

}  // namespace hash_table
