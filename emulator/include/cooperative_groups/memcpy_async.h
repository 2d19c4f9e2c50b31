#pragma once

#include "emulator/letters_begin.h"

#include <cstddef>

#include "emulator/async_copies.h"
#include "emulator/cooperative_groups.h"

// Copies that a group makes together. They go on behind the program's back until the group waits for them.
namespace cooperative_groups {

/// Copies that many bytes.
template <class Group, class T>
EMULATOR_INLINE void memcpy_async(const Group& group, T* to, const T* from, std::size_t bytes) {
    ::emulator::copy_async_together(group, to, from, bytes);
    ::emulator::check_copies_are_group();
}

/// Copies as many elements as both have.
template <class Group, class T>
EMULATOR_INLINE void memcpy_async(const Group& group, T* to, std::size_t to_elements, const T* from,
                                  std::size_t from_elements) {
    memcpy_async(group, to, from, (to_elements < from_elements ? to_elements : from_elements) * sizeof(T));
}

template <class Group>
EMULATOR_INLINE void wait(const Group& group) {
    ::emulator::check_copies_are_awaited(0);
    group.sync();
}

/// Waits for all copies but the last `stages`.
template <unsigned stages, class Group>
EMULATOR_INLINE void wait_prior(const Group& group) {
    ::emulator::check_copies_are_awaited(stages);
    group.sync();
}

}  // namespace cooperative_groups

#include "emulator/letters_end.h"
