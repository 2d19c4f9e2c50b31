#pragma once

#include <cstddef>

#include "emulator/engine.h"

// __shared__ variables. They live in an arena of the worker and are laid out anew for each block, filled with 0xff, so
// that a kernel that counts on zeros, or on what the block before left behind, is seen to.
namespace emulator {

inline constexpr std::size_t max_static_shared = 48u << 10;

/// Room for a variable of the current block. Ends the kernel if the block's variables need more than 48 KiB.
void* allocate_shared(std::size_t bytes, std::size_t alignment);

/// The launch's dynamic shared memory, as many bytes as its third configuration argument says.
void* dynamic_shared_memory();

/// __shared__ T name; becomes auto& name = shared<Site, T>(name). Site is a type of its own for each declaration.
template <class Site, class T, std::size_t alignment = alignof(T)>
T& shared(const char*) {
    static_assert(sizeof(T) <= max_static_shared, "a block has 48 KiB of static shared memory at most");
    static thread_local std::size_t serial;  // of the block for which `address` is right
    static thread_local void* address;
    if (serial != this_block->serial) {
        serial = this_block->serial;
        address = allocate_shared(sizeof(T), alignment);
    }
    return *static_cast<T*>(address);
}

/// extern __shared__ T name[]; becomes auto& name = dynamic_shared<T[]>();
template <class T>
T& dynamic_shared() {
    return *static_cast<T*>(dynamic_shared_memory());
}

}  // namespace emulator
