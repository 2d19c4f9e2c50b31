// The reference: one thread on the host. A bucket is a linked list; all entries come from a pool that is allocated
// once, and go to the head of their bucket's list. With several threads, each has its own list for every bucket, and a
// find walks through the lists of all threads.

#include <algorithm>
#include <thread>
#include <vector>

#include "common/memory.h"
#include "harness/program.h"
#include "hash_table.h"

namespace hash_table {
namespace {

struct Entry {
    Key key;
    Value value;
    Entry* next;
};

/// A list for each bucket, all of one thread.
class Lists {
  public:
    explicit Lists(unsigned buckets) : heads_(buckets) {}

    /// Empties the lists. Their entries will be those from `pool` on.
    void clear(Entry* pool) {
        heads_.assign(heads_.size(), nullptr);
        first_free_ = pool;
    }

    void insert(Key key, Value value) {
        Entry*& head = heads_[bucket_of(key, buckets())];
        Entry* entry = first_free_++;
        *entry = {key, value, head};
        head = entry;
    }

    const Entry* head(unsigned bucket) const { return heads_[bucket]; }

    /// nullptr if there is no such key.
    const Entry* find(Key key) const {
        const Entry* entry = heads_[bucket_of(key, buckets())];
        while (entry != nullptr && entry->key != key) entry = entry->next;
        return entry;
    }

  private:
    unsigned buckets() const { return static_cast<unsigned>(heads_.size()); }

    std::vector<Entry*> heads_;
    Entry* first_free_ = nullptr;
};

class CpuTable final : public Table {
  public:
    /// Uses fewer threads where there are fewer than one pair for each list, so that the heads need less memory than
    /// the pairs.
    CpuTable(std::size_t buckets, std::size_t capacity, unsigned threads) : Table(buckets, capacity) {
        const std::size_t used = std::clamp<std::size_t>(capacity / buckets, 1, threads);
        require_memory(0, static_cast<double>(capacity) * sizeof(Entry) +
                              static_cast<double>(used) * static_cast<double>(buckets) * sizeof(void*));
        lists_.assign(used, Lists(this->buckets()));
        pool_.resize(capacity);
    }

    void find(const Key* keys, std::size_t n, Value* values) const override {
        on_threads(n, [&](std::size_t, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) values[i] = value_of(keys[i]);
        });
    }

    Contents copy_table_to_host() const override {
        Contents contents;
        for (unsigned bucket = 0; bucket < buckets(); ++bucket) {
            contents.begin.push_back(contents.pairs.size());
            for (const Lists& lists : lists_)
                for (const Entry* entry = lists.head(bucket); entry != nullptr; entry = entry->next)
                    contents.pairs.push_back({entry->key, entry->value});
        }
        contents.begin.push_back(contents.pairs.size());
        return contents;
    }

  private:
    void insert_all(const Key* keys, const Value* values, std::size_t n) override {
        on_threads(n, [&](std::size_t t, std::size_t begin, std::size_t end) {
            lists_[t].clear(&pool_[0] + begin);
            for (std::size_t i = begin; i < end; ++i) lists_[t].insert(keys[i], values[i]);
        });
    }

    Value value_of(Key key) const {
        for (const Lists& lists : lists_)
            if (const Entry* entry = lists.find(key)) return entry->value;
        return absent;
    }

    /// Calls work(t, begin, end) on thread t, for its part of n elements.
    template <class Work>
    void on_threads(std::size_t n, Work work) const {
        const std::size_t threads = lists_.size();
        std::vector<std::jthread> others;
        for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work, t, n * t / threads, n * (t + 1) / threads);
        work(0, 0, n / threads);
    }

    std::vector<Lists> lists_;  // one for each thread
    std::vector<Entry> pool_;
};

}  // namespace

std::unique_ptr<Table> cpu_with(unsigned threads, std::size_t buckets, std::size_t capacity) {
    return std::make_unique<CpuTable>(buckets, capacity, threads);
}

std::unique_ptr<Table> cpu(std::size_t buckets, std::size_t capacity) {
    return cpu_with(1, buckets, capacity);
}

std::unique_ptr<Table> cpu_threads(std::size_t buckets, std::size_t capacity) {
    return cpu_with(std::max(1u, std::thread::hardware_concurrency()), buckets, capacity);
}

STAGES(Stage{"one thread on the host, lists of entries from a pool", cpu, true},
       Stage{"threads", "all threads of the host, lists of its own for each", cpu_threads, true});

}  // namespace hash_table
