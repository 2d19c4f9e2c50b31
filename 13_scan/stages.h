#pragma once

#include "common/stage.h"
#include "scan.h"

// The stages of this chapter, for its program and its tests.
namespace scan {

using Stage = ::Stage<Launch, OnHost>;

inline constexpr Stage stages[] = {
    {"1_cpu", "one thread on the host", cpu},
    {"1_cpu/threads", "all threads of the host, in two passes", cpu_threads},
    {"2_hillis_steele", "a block scans a tile in shared memory: 8 steps", hillis_steele},
    {"3_blelloch", "a tree up and down: 2 additions a value, not 7", blelloch},
    {"4_conflict_free", "the same tree, and no two lanes at one bank", conflict_free},
    {"5_warp_shuffle", "warps scan in registers: 1 barrier, not 20", warp_shuffle},
    {"6_reduce_first", "sums first, so that values are written once", reduce_first},
    {"7_vectorized", "16 bytes a load, 16 values a thread", vectorized},
    {"8_look_back", "one launch: tiles ask those before them", look_back},
    {"8_look_back/atomic_ref", "the same with acquire and release", look_back_atomic},
    {"9_wide_look_back", "a warp asks 32 tiles at once, without a fence", wide_look_back},
#ifdef WITH_LIBRARY
    {"library", "cub::DeviceScan::InclusiveSum", library},
#endif
};

/// A lower bound on the bytes of any scan: each value is read once, and each sum is written once.
constexpr double bytes_moved(std::size_t n) {
    return 2.0 * sizeof(unsigned) * n;
}

}  // namespace scan
