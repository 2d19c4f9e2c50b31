#pragma once

#include "emulator/letters_begin.h"

#include "cuda_runtime.h"
#include "emulator/async_copies.h"
#include "emulator/check.h"

/// Begins to copy that many bytes, 4, 8 or 16, to shared memory. The last `zeros` become 0 instead.
EMULATOR_INLINE void __pipeline_memcpy_async(void* __restrict__ shared, const void* __restrict__ global,
                                             std::size_t bytes, std::size_t zeros = 0) {
    emulator::copy_async(shared, global, bytes, zeros);
}

/// Ends a group of copies.
EMULATOR_INLINE void __pipeline_commit() {
    emulator::check_copies_are_group();
}

/// Waits for all groups but the last `groups`.
EMULATOR_INLINE void __pipeline_wait_prior(std::size_t groups) {
    emulator::check_copies_are_awaited(groups);
}

#include "emulator/letters_end.h"
