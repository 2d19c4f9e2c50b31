#pragma once

#include <cstdint>
#include <string>

#include "emulator/warp.h"

namespace emulator {

/// What a thread of a kernel waits for: the block's barrier, others of its warp, or a lock in a loop of its own.
struct Place {
    WarpOperation operation;
    unsigned mask;                               // of a warp operation
    const void* code;                            // where the call returns to
    const std::uint64_t* barrier = nullptr;      // an mbarrier that it waits for
    const struct NamedBarrier* named = nullptr;  // or one of the block's that have numbers: `mask` is its
};

/// "__shfl_sync()"
const char* name(WarpOperation operation);

/// "__shfl_sync() with mask 0xffffffff at file.cu:12"
std::string describe(const Place& place);

}  // namespace emulator
