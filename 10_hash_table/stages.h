#pragma once

#include <span>
#include <string_view>

#include "common/capability.h"
#include "hash_table.h"

// The stages of this chapter, for its program and its tests.
namespace hash_table {

/// A table outlives a launch, so a stage makes one, which then builds and finds.
struct Stage {
    std::string_view name, idea;
    Make* make;
    bool on_host = false;
    ComputeCapability needs = {};
};

inline constexpr Stage stages[] = {
    {"1_cpu", "one thread on the host, lists of entries from a pool", cpu, true},
    {"1_cpu/threads", "all threads of the host, lists of its own for each", cpu_threads, true},
    {"2_bucket_locks", "a lock for each bucket, the lanes of a warp one after another", bucket_locks},
    {"3_lock_free", "the head of a list swapped by atomicExch", lock_free},
    {"4_indices", "lists linked by index, keys and links in arrays of their own", indices},
    {"5_partition", "no lists: count, scan, scatter, and a bucket is contiguous", partition},
    {"6_lines_of_four", "each bucket in the order of a second hash, with gaps", lines_of_four},
    {"7_overflow_scan", "a scan says which lines flow over, not one thread", overflow_scan},
    {"8_two_parts", "two blocks for each bucket, with half of it each", two_parts},
    {"9_shared_memory", "put together in shared memory, written in one go", shared_memory},
    {"10_loads_in_flight", "14 pairs on the way to each thread at once", loads_in_flight},
#ifdef WITH_LIBRARY
    {"library", "cub::DeviceRadixSort on the bits of the bucket", library},
#endif
};

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
