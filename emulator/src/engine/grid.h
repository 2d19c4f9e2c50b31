#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "emulator/types.h"
#include "watched_worker.h"

namespace emulator {

inline constexpr unsigned max_workers = 16;

/// A launch that is being run.
struct Grid {
    const char* kernel;
    dim3 grid, block;
    std::size_t dynamic_shared;
    void (*run_threads)(const void*);
    const void* body;
    std::uint64_t blocks;
    bool cooperative;
    int device = 0;
    dim3 cluster{0, 0, 0};                                    // in blocks; 0: none was asked for
    std::atomic<std::uint64_t> next_block = 0;                // with clusters: the next of those
    std::atomic<std::uint64_t> at_barrier = 0, barriers = 0;  // blocks at the grid's barrier; how often it has opened
    std::atomic<std::uint64_t> ended = 0;                     // blocks, of a cooperative launch
    std::atomic<bool> failed = false;
    std::atomic<bool> lacks_dynamic = false;                // shared memory: told already
    std::atomic<WatchedWorker*> workers[max_workers] = {};  // those that have run blocks of it
    std::atomic<unsigned> workers_there = 0;
    std::atomic<std::size_t> shared_bytes = 0;  // of static variables that its blocks have used
    std::atomic<bool> impatient = false;        // a thread was found that waits in a loop without saying so
    const long long begin = begin_of_limit();

    bool has_clusters() const { return cluster.x > 0; }
    unsigned cluster_blocks() const { return cluster.x * cluster.y * cluster.z; }

    /// Whether it has so few threads that waking another worker costs more than it brings: then one runs it all.
    bool is_small() const { return blocks * block.x * block.y * block.z < 4096; }
};

}  // namespace emulator
