#pragma once

#include <cstddef>

// The checked build (EMULATOR_CHECKED): the compiler calls us for each access to memory, as it would ThreadSanitizer
// (src/hooks.cpp), and each kernel is watched for what is wrong with it. Without it all of this is nothing.

// Always inlined: where the engine is called from is then a line of the kernel.
#define EMULATOR_INLINE inline __attribute__((always_inline))

namespace emulator {

#ifdef EMULATOR_CHECKED
inline constexpr bool checked = true;

/// Our own code in headers is not to be watched: what it touches is none of the kernel's memory, or reported apart.
#ifdef __clang__  // which would tell of the beginning and the end of such a function all the same
#define EMULATOR_UNCHECKED \
    __attribute__((disable_sanitizer_instrumentation)) __attribute__((no_sanitize("thread", "bounds")))
#else
#define EMULATOR_UNCHECKED __attribute__((no_sanitize("thread"))) __attribute__((no_sanitize("bounds")))
#endif

/// A thread is about to read and write [address, address + bytes) in one atomic step: for all, or for its block only.
void check_atomic(const volatile void* address, std::size_t bytes, bool for_all_blocks);

/// It was done; the thread may have let others run before.
void check_polled();

/// __threadfence() or, not for other blocks, __threadfence_block().
void check_fence(bool for_all_blocks);

/// A thread has come to the end of the kernel's text and not left it before.
void check_end_of_kernel();
#else
inline constexpr bool checked = false;
#define EMULATOR_UNCHECKED
inline void check_atomic(const volatile void*, std::size_t, bool) {}
inline void check_polled() {}
inline void check_fence(bool) {}
inline void check_end_of_kernel() {}
#endif

}  // namespace emulator
