#pragma once

#include <cstdint>

#include "emulator/device.h"
#include "emulator/engine.h"
#include "emulator/intrinsics.h"
#include "emulator/types.h"
#include "emulator/warp.h"

// The special registers of PTX that a program may read: emulator/rewriter turns the asm statements that do into
// calls. ptx_instructions.h has what it makes of instructions.
namespace emulator::ptx {

inline unsigned laneid() {
    return lane_index();
}
/// The warps of a block are numbered as its threads are. A GPU may give other numbers.
inline unsigned warpid() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32;
}
EMULATOR_UNCHECKED inline unsigned nwarpid() {
    return static_cast<unsigned>(device_properties().maxThreadsPerMultiProcessor / 32);
}
EMULATOR_UNCHECKED inline unsigned nsmid() {
    return static_cast<unsigned>(device_properties().multiProcessorCount);
}
/// Blocks are dealt to multiprocessors in turn, as a GPU that is idle does it. Here they share them all.
inline unsigned smid() {
    return (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) % nsmid();
}
inline unsigned lanemask_eq() {
    return 1u << laneid();
}
inline unsigned lanemask_lt() {
    return lanemask_eq() - 1;
}
inline unsigned lanemask_le() {
    return lanemask_lt() | lanemask_eq();
}
inline unsigned lanemask_gt() {
    return ~lanemask_le();
}
inline unsigned lanemask_ge() {
    return ~lanemask_lt();
}
/// Nanoseconds since 1970.
inline std::uint64_t globaltimer() {
    return static_cast<std::uint64_t>(nanoseconds(CLOCK_REALTIME));
}
inline unsigned globaltimer_lo() {
    return static_cast<unsigned>(globaltimer());
}
inline unsigned globaltimer_hi() {
    return static_cast<unsigned>(globaltimer() >> 32);
}
/// Nanoseconds here, as clock64() gives them.
inline std::uint64_t clock64() {
    return static_cast<std::uint64_t>(::clock64());
}
inline unsigned clock() {
    return static_cast<unsigned>(clock64());
}
inline unsigned clock_hi() {
    return static_cast<unsigned>(clock64() >> 32);
}

}  // namespace emulator::ptx
