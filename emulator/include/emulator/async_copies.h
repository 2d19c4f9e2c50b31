#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "emulator/atomics.h"
#include "emulator/check.h"
#include "emulator/warp.h"

// Copies from global to shared memory that on a GPU go on while the thread does something else. Here a copy has been
// made when the call returns, and there is nothing to wait for; in the checked build it is made when it is waited for.
namespace emulator {

/// Copies that many bytes, 4, 8 or 16, of which the last `zeros` become 0 instead. Other sizes, addresses that are no
/// multiples of the size, and a destination outside of shared memory end the kernel.
EMULATOR_UNCHECKED EMULATOR_INLINE void copy_async(void* __restrict__ shared, const void* __restrict__ global,
                                                   std::size_t bytes, std::size_t zeros) {
    const auto aligned = [&](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % bytes == 0; };
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes || !aligned(shared) || !aligned(global) ||
        !atomics::in_shared_memory(shared))
        trap("began an asynchronous copy that is not of 4, 8 or 16 bytes, at multiples of that, to shared memory");
    if constexpr (checked) return check_copy_begins(shared, global, bytes, zeros);
    std::memcpy(shared, global, bytes - zeros);
    std::memset(static_cast<char*>(shared) + (bytes - zeros), 0, zeros);
}

}  // namespace emulator
