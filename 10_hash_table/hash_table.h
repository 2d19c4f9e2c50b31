#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "common/stage.h"

// A hash table: keys with values, in buckets. The key alone says which bucket it is in.
namespace hash_table {

using Key = unsigned;    // all 2^32 of them may be stored
using Value = unsigned;  // all but `absent`

/// The value that find() gives for a key that the table does not have. It cannot be stored.
inline constexpr Value absent = 0xffffffff;

struct alignas(8) Pair {
    Key key;
    Value value;

    bool operator==(const Pair&) const = default;
};

/// The first hash function: the bucket of a key.
__host__ __device__ inline unsigned bucket_of(Key key, unsigned buckets) {
    return key % buckets;
}

/// What a table holds, on the host: bucket b has the pairs from begin[b] up to begin[b + 1].
struct Contents {
    std::vector<std::size_t> begin;
    std::vector<Pair> pairs;
};

/// A table in device memory, or, for 1_cpu, in host memory.
class Table {
  public:
    /// Throws usage_error for no buckets, no capacity, or more than 2^30 of either.
    Table(std::size_t buckets, std::size_t capacity);
    virtual ~Table() = default;
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    /// Replaces what the table holds by n pairs; a key that comes several times keeps all its values. keys and values:
    /// n each, in the table's kind of memory; n may be 0. The work is queued, not waited for. Throws usage_error if n
    /// is more than the capacity: the table then still holds what it held before.
    void build(const Key* keys, const Value* values, std::size_t n);

    /// values[i] becomes a value that was stored with keys[i] (one of them, if there are several), or `absent`. keys
    /// and values: n each, in the table's kind of memory. The work is queued, not waited for.
    virtual void find(const Key* keys, std::size_t n, Value* values) const = 0;

    /// Waits for the work, and copies the table.
    virtual Contents copy_table_to_host() const = 0;

    unsigned buckets() const { return buckets_; }
    std::size_t capacity() const { return capacity_; }
    std::size_t size() const { return size_; }

  private:
    virtual void insert_all(const Key* keys, const Value* values, std::size_t n) = 0;

    unsigned buckets_;
    std::size_t capacity_, size_ = 0;
};

/// Makes an empty table with room for `capacity` pairs. Throws usage_error for what the stage cannot serve, and for
/// more memory than the device has.
using Make = std::unique_ptr<Table>(std::size_t buckets, std::size_t capacity);

Make cpu;  // 1_cpu.cpp

/// 1_cpu with `threads` threads, at least 1.
std::unique_ptr<Table> cpu_with(unsigned threads, std::size_t buckets, std::size_t capacity);

/// A table outlives a launch, so a stage makes one, which then builds and finds.
struct Stage {
    constexpr Stage(std::string_view idea, Make* make, bool on_host = false) : Stage("", idea, make, on_host) {}
    constexpr Stage(std::string_view variant, std::string_view idea, Make* make, bool on_host = false)
        : name(variant), idea(idea), make(make), on_host(on_host) {}

    std::string_view name, idea;
    Make* make;
    bool on_host;
    ComputeCapability needs = {};
};
inline const std::vector<Stage>& stages = all_stages<Stage>();

/// Throws wrong_result, naming the stage, unless `contents` has the pairs (keys[i], values[i]), each exactly once, and
/// each in its bucket.
void verify_table(std::string_view stage, const Contents& contents, std::span<const Key> keys,
                  std::span<const Value> values);

/// Building reads keys and values and writes them once.
constexpr double bytes_of_build(std::size_t n) {
    return 16.0 * static_cast<double>(n);
}

/// Each find reads a key, writes a value and reads at least one sector of the table, which is 32 bytes.
constexpr double bytes_of_finds(std::size_t n) {
    return 40.0 * static_cast<double>(n);
}

}  // namespace hash_table
