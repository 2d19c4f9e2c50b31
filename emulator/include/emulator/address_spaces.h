#pragma once

#include <cstddef>

#include "emulator/atomics.h"
#include "emulator/check.h"
#include "emulator/engine.h"

// Addresses in a memory of their own, as inline PTX has them. A shared one is the distance from the start of the
// block's shared memory and fits in 32 bits; one of another block of the cluster has the block's rank, counted from 1,
// above that. One in any other memory is the pointer itself.

namespace emulator {

inline constexpr unsigned shared_address_bits = 24;

EMULATOR_UNCHECKED inline std::size_t in_block(std::size_t shared_address) {
    return shared_address & ((std::size_t{1} << shared_address_bits) - 1);
}

EMULATOR_INLINE bool is_in_cluster_or_block(const void* pointer) {
    return atomics::in_shared_memory(pointer) || is_in_cluster(pointer);
}

}  // namespace emulator

EMULATOR_UNCHECKED inline std::size_t __cvta_generic_to_shared(const void* pointer) {
    if (!::emulator::atomics::in_shared_memory(pointer)) return ::emulator::shared_address_in_cluster(pointer);
    return static_cast<std::size_t>(static_cast<const char*>(pointer) - ::emulator::this_block->shared);
}
EMULATOR_UNCHECKED inline void* __cvta_shared_to_generic(std::size_t address) {
    const std::size_t rank = address >> ::emulator::shared_address_bits;
    char* const pointer = ::emulator::this_block->shared + ::emulator::in_block(address);
    return rank == 0 ? pointer : ::emulator::map_to_cluster(pointer, static_cast<unsigned>(rank - 1));
}
EMULATOR_INLINE std::size_t __cvta_generic_to_global(const void* pointer) {
    return reinterpret_cast<std::size_t>(pointer);
}
EMULATOR_INLINE void* __cvta_global_to_generic(std::size_t address) {
    return reinterpret_cast<void*>(address);
}
EMULATOR_INLINE std::size_t __cvta_generic_to_constant(const void* pointer) {
    return reinterpret_cast<std::size_t>(pointer);
}
EMULATOR_INLINE void* __cvta_constant_to_generic(std::size_t address) {
    return reinterpret_cast<void*>(address);
}
EMULATOR_INLINE std::size_t __cvta_generic_to_local(const void* pointer) {
    return reinterpret_cast<std::size_t>(pointer);
}
EMULATOR_INLINE void* __cvta_local_to_generic(std::size_t address) {
    return reinterpret_cast<void*>(address);
}

// Which memory a pointer goes to. What is none of the others is global, the host's own included; a kernel's parameters
// are local here.
EMULATOR_INLINE unsigned __isShared(const void* pointer) {
    return ::emulator::atomics::in_shared_memory(pointer);
}
EMULATOR_INLINE unsigned __isConstant(const void* pointer) {
    return ::emulator::is_in_constant_memory(pointer);
}
EMULATOR_INLINE unsigned __isLocal(const void* pointer) {
    return ::emulator::is_in_local_memory(pointer);
}
EMULATOR_INLINE unsigned __isGlobal(const void* pointer) {
    return !::emulator::is_in_cluster_or_block(pointer) && !__isConstant(pointer) && !__isLocal(pointer);
}
