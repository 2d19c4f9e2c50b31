// New here: no locks. One atomicExch() puts an entry at the head of its list and returns the old head, which becomes
// the next entry. No thread waits for another, and all lanes work at once. A thread for each pair.
// What it costs: for a moment the list is broken behind the new entry, so no thread may look for keys meanwhile.
// What remains: 16 bytes an entry, half of which is a pointer, and a find walks half the list. All exchanges meet at
// the few slices of the L2 cache that have the heads; the variant lays the heads apart, so that all slices have some.

#include "chains.h"
#include "common/check.h"
#include "grid.h"

namespace hash_table {
namespace {

__global__ void add_to_table(const Key* keys, const Value* values, std::size_t n, Entry** heads, unsigned buckets,
                             unsigned apart, Entry* pool) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Key key = keys[i];
    Entry* entry = &pool[i];
    Entry** first = &heads[std::size_t{bucket_of(key, buckets)} * apart];
    auto* head = reinterpret_cast<unsigned long long*>(first);  // atomicExch() takes no pointers
    const unsigned long long next = atomicExch(head, reinterpret_cast<unsigned long long>(entry));
    *entry = {key, values[i], reinterpret_cast<Entry*>(next)};
}

class LockFree final : public Chains {
  public:
    using Chains::Chains;

  private:
    void insert_all(const Key* keys, const Value* values, std::size_t n) override {
        clear();
        if (n == 0) return;
        add_to_table<<<blocks_for(n), block_size>>>(keys, values, n, heads_.data(), buckets(), apart_, pool_.data());
        CUDA_CHECK_LAUNCH();
    }
};

}  // namespace

std::unique_ptr<Table> lock_free(std::size_t buckets, std::size_t capacity) {
    return std::make_unique<LockFree>(buckets, capacity);
}

std::unique_ptr<Table> spread_heads(std::size_t buckets, std::size_t capacity) {
    return std::make_unique<LockFree>(buckets, capacity, 256 / sizeof(Entry*));
}

STAGES(Stage{"the head of a list swapped by atomicExch", lock_free},
       Stage{"spread_heads", "heads 256 bytes apart: all of the L2 cache takes part", spread_heads});

}  // namespace hash_table
