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
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes || !atomics::in_shared_memory(shared))
        trap("began an asynchronous copy that is not of 4, 8 or 16 bytes to shared memory");
    require_multiple(shared, bytes, "began an asynchronous copy to an address that is no multiple of its size");
    require_multiple(global, bytes, "began an asynchronous copy from an address that is no multiple of its size");
    if constexpr (checked) return check_copy_begins(shared, global, bytes, zeros);
    std::memcpy(shared, global, bytes - zeros);
    std::memset(static_cast<char*>(shared) + (bytes - zeros), 0, zeros);
}

/// Copies of a group's threads, in pieces of up to 16 bytes that they take in turns. As on a GPU, only those from
/// global to shared memory whose addresses allow for pieces of 4 bytes are asynchronous. `barrier`: who waits for that
/// one waits for the copies, or else they belong to the next group of copies of each thread.
template <class Group>
EMULATOR_INLINE void copy_async_together(const Group& group, void* to, const void* from, std::size_t bytes,
                                         const void* barrier = nullptr) {
    const std::size_t threads = group.size(), rank = group.thread_rank();
    const auto begin = reinterpret_cast<std::uintptr_t>(to);
    const std::uintptr_t apart = (begin ^ reinterpret_cast<std::uintptr_t>(from)) | 16, piece = apart & -apart;
    const bool asynchronous = piece >= 4 && atomics::in_shared_memory(to) && !atomics::in_shared_memory(from);
    for (std::uintptr_t at = begin / piece * piece + rank * piece; at < begin + bytes; at += threads * piece) {
        const std::uintptr_t first = at < begin ? begin : at,
                             end = begin + bytes < at + piece ? begin + bytes : at + piece;
        char* const target = static_cast<char*>(to) + (first - begin);
        const char* const source = static_cast<const char*>(from) + (first - begin);
        if (checked && asynchronous)
            check_copy_begins(target, source, end - first, 0, barrier);
        else
            std::memcpy(target, source, end - first);
    }
}

}  // namespace emulator
