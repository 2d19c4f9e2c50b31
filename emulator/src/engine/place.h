#pragma once

#include <cstdint>
#include <string>

#include "emulator/warp.h"

namespace emulator {

/// What a thread of a kernel waits for: the block's barrier, others of its warp, or a lock in a loop of its own.
struct Place {
    WarpOperation operation;
    unsigned mask;                 // of a warp operation; the number of a named barrier
    const void* code;              // where the call returns to
    const void* object = nullptr;  // see below; what it was at an operation before, if this one has none

    /// The mbarrier that it waits for, or null.
    const std::uint64_t* mbarrier() const {
        return operation == WarpOperation::object ? static_cast<const std::uint64_t*>(object) : nullptr;
    }
    /// That of the block's barriers that have numbers, or null.
    const struct NamedBarrier* named_barrier() const {
        return operation == WarpOperation::named_barrier ? static_cast<const NamedBarrier*>(object) : nullptr;
    }
};

/// "__shfl_sync()"
const char* name(WarpOperation operation);

/// "__shfl_sync() with mask 0xffffffff at file.cu:12"
std::string describe(const Place& place);

}  // namespace emulator
