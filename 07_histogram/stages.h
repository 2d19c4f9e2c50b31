#pragma once

#include "common/stage.h"
#include "histogram.h"

// The stages of this chapter, for its program and its tests.
namespace histogram {

/// A stage, and how many blocks it is given.
struct Stage : ::Stage<Launch, OnHost> {
    std::size_t blocks_per_multiprocessor = 0;  ///< for variants of stage 3; 0: the stage's own number
};

inline constexpr Stage stages[] = {
    {{"1_cpu", "one thread on the host", cpu}},
    {{"1_cpu/threads", "all threads of the host, a table each", cpu_threads}},
    {{"2_global_atomics", "one atomic addition in global memory for each byte", global_atomics}},
    {{"3_shared_atomics", "a table for each block, in shared memory", shared_atomics}},
    {{"4_vectorized_loads", "16 bytes a load, as many threads as the device holds", vectorized_loads}},
    {{"5_copy_per_warp", "a table for each warp: no warp waits for another", copy_per_warp}},
    {{"6_private_bytes", "counters of 8 bits for each lane: no atomics, but overflow", private_bytes}},
    {{"7_column_per_lane", "32 tables side by side: each lane has a bank to itself", column_per_lane}},
#ifdef WITH_LIBRARY
    {{"library", "cub::DeviceHistogram::HistogramEven", library}},
#endif
};

/// Bytes that any histogram must read. What it writes is negligible.
constexpr double bytes_moved(std::size_t n) {
    return static_cast<double>(n);
}

}  // namespace histogram
