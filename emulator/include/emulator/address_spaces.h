#pragma once

#include <cstddef>

#include "emulator/check.h"
#include "emulator/engine.h"

// Addresses in a memory of their own, as inline PTX has them. A shared one is the distance from the start of the
// block's shared memory and fits in 32 bits; a global one is the pointer itself.

EMULATOR_UNCHECKED inline std::size_t __cvta_generic_to_shared(const void* pointer) {
    return static_cast<std::size_t>(static_cast<const char*>(pointer) - ::emulator::this_block->shared);
}
EMULATOR_UNCHECKED inline void* __cvta_shared_to_generic(std::size_t address) {
    return ::emulator::this_block->shared + address;
}
EMULATOR_INLINE std::size_t __cvta_generic_to_global(const void* pointer) {
    return reinterpret_cast<std::size_t>(pointer);
}
EMULATOR_INLINE void* __cvta_global_to_generic(std::size_t address) {
    return reinterpret_cast<void*>(address);
}
