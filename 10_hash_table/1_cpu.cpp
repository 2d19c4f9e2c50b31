// The reference: one thread on the host. A bucket is a linked list; all entries come from a pool that is allocated
// once, and go to the head of their bucket's list.

#include "common/program.h"
#include "hash_table.h"

namespace hash_table {
namespace {

struct Entry {
    Key key;
    Value value;
    Entry* next;
};

class CpuTable final : public Table {
  public:
    CpuTable(std::size_t buckets, std::size_t capacity) : Table(buckets, capacity) {
        require_memory(0,
                       static_cast<double>(capacity) * sizeof(Entry) + static_cast<double>(buckets) * sizeof(Entry*));
        heads_.resize(buckets);
        pool_.resize(capacity);
    }

    void find(const Key* keys, std::size_t n, Value* values) const override {
        for (std::size_t i = 0; i < n; ++i) {
            const Entry* entry = heads_[bucket_of(keys[i], buckets())];
            while (entry != nullptr && entry->key != keys[i]) entry = entry->next;
            values[i] = entry != nullptr ? entry->value : absent;
        }
    }

    Contents copy_table_to_host() const override {
        Contents contents;
        for (const Entry* entry : heads_) {
            contents.begin.push_back(contents.pairs.size());
            for (; entry != nullptr; entry = entry->next) contents.pairs.push_back({entry->key, entry->value});
        }
        contents.begin.push_back(contents.pairs.size());
        return contents;
    }

  private:
    void insert_all(const Key* keys, const Value* values, std::size_t n) override {
        heads_.assign(buckets(), nullptr);
        first_free_ = pool_.data();
        for (std::size_t i = 0; i < n; ++i) insert(keys[i], values[i]);
    }

    void insert(Key key, Value value) {
        Entry*& head = heads_[bucket_of(key, buckets())];
        Entry* entry = first_free_++;
        *entry = {key, value, head};
        head = entry;
    }

    std::vector<Entry*> heads_;
    std::vector<Entry> pool_;
    Entry* first_free_ = nullptr;
};

}  // namespace

std::unique_ptr<Table> cpu(std::size_t buckets, std::size_t capacity) {
    return std::make_unique<CpuTable>(buckets, capacity);
}

}  // namespace hash_table
