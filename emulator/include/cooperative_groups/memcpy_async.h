#pragma once

#include "emulator/letters_begin.h"

#include <cstring>

#include "emulator/cooperative_groups.h"

// Copies that a group makes together. On a GPU they go on behind the program's back until the group waits for them;
// here a thread has copied its part when the call returns, and waiting is a barrier of the group.
namespace cooperative_groups {

/// Copies that many bytes.
template <class Group, class T>
void memcpy_async(const Group& group, T* to, const T* from, std::size_t bytes) {
    const std::size_t threads = group.size(), part = (bytes + threads - 1) / threads;
    const std::size_t begin = group.thread_rank() * part;
    if (begin < bytes)
        std::memcpy(reinterpret_cast<char*>(to) + begin, reinterpret_cast<const char*>(from) + begin,
                    bytes - begin < part ? bytes - begin : part);
}

/// Copies as many elements as both have.
template <class Group, class T>
void memcpy_async(const Group& group, T* to, std::size_t to_elements, const T* from, std::size_t from_elements) {
    memcpy_async(group, to, from, (to_elements < from_elements ? to_elements : from_elements) * sizeof(T));
}

template <class Group>
EMULATOR_INLINE void wait(const Group& group) {
    group.sync();
}

/// Waits for all copies but the last `stages`: here for all.
template <unsigned stages, class Group>
EMULATOR_INLINE void wait_prior(const Group& group) {
    group.sync();
}

}  // namespace cooperative_groups

#include "emulator/letters_end.h"
