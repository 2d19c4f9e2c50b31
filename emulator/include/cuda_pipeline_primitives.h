#pragma once

#include "emulator/letters_begin.h"

#include <cstring>

#include "cuda_runtime.h"
#include "emulator/check.h"

// Copies from global to shared memory that on a GPU go on while the thread does something else. Here a copy has been
// made when the call returns, and there is nothing to wait for; in the checked build it is made when it is waited for.

/// Copies that many bytes, 4, 8 or 16, of which the last `zeros` become 0 instead. Other sizes, addresses that are no
/// multiples of the size, and a destination outside of shared memory end the kernel.
EMULATOR_UNCHECKED EMULATOR_INLINE void __pipeline_memcpy_async(void* __restrict__ shared,
                                                                const void* __restrict__ global, std::size_t bytes,
                                                                std::size_t zeros = 0) {
    const auto aligned = [&](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % bytes == 0; };
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes || !aligned(shared) || !aligned(global) ||
        !emulator::atomics::in_shared_memory(shared))
        emulator::trap();  // as the copy itself does on a device
    if constexpr (emulator::checked) return emulator::check_copy_begins(shared, global, bytes, zeros);
    std::memcpy(shared, global, bytes - zeros);
    std::memset(static_cast<char*>(shared) + (bytes - zeros), 0, zeros);
}

/// Ends a group of copies.
inline void __pipeline_commit() {
    emulator::check_copies_are_group();
}

/// Waits for all groups but the last `groups`.
inline void __pipeline_wait_prior(std::size_t groups) {
    emulator::check_copies_are_awaited(groups);
}

#include "emulator/letters_end.h"
