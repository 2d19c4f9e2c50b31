#pragma once

#include <cstdint>
#include <string>

#include "emulator/engine.h"

// Of blocks in a grid and of threads in a block.
namespace emulator {

/// "(1,2,3)"
inline std::string index(uint3 i) {
    return "(" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) + ")";
}

/// The index that comes `linear` places after (0,0,0), x fastest.
inline uint3 index_in(std::uint64_t linear, dim3 extent) {
    return {static_cast<unsigned>(linear % extent.x), static_cast<unsigned>(linear / extent.x % extent.y),
            static_cast<unsigned>(linear / extent.x / extent.y)};
}

/// The place of a thread in its block, x fastest.
inline unsigned thread_number(uint3 thread) {
    return thread.x + blockDim.x * (thread.y + blockDim.y * thread.z);
}

/// Member by member. A copy of 8 bytes right after one of them was written has to wait until that store is done; and
/// one that another OS thread writes at the same time has no such copy.
inline uint3 load(const uint3& index) {
    return {__atomic_load_n(&index.x, __ATOMIC_RELAXED), __atomic_load_n(&index.y, __ATOMIC_RELAXED),
            __atomic_load_n(&index.z, __ATOMIC_RELAXED)};
}

}  // namespace emulator
