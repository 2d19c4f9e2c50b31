#pragma once

#include <cstddef>
#include <cstdint>
#include <typeinfo>

#include "emulator/check.h"
#include "emulator/engine.h"

// __shared__ variables. They live in memory of the block, which is filled with 0xff before it begins, so that a kernel
// that counts on zeros, or on what the block before left behind, is seen to.
namespace emulator {

inline constexpr std::size_t max_static_shared = 48u << 10;

// In the checked build there is much room between variables, so that a wrong index does not find another one.
inline constexpr std::size_t shared_gap = checked ? 4096 : 16;
inline constexpr std::size_t dynamic_shared_begin = checked ? 256u << 10 : max_static_shared;

/// Launches that the calling worker has had a part in, the present one included.
EMULATOR_TLS std::uint32_t this_launch;

/// Finds room for a variable, at the same place in each block of this launch. Ends the kernel if its variables need
/// more than 48 KiB. Returns the place, which it also writes to *known: the launch in the upper half, and in the lower
/// one the distance from the start of the block's shared memory.
std::uint64_t place_shared(std::size_t bytes, std::size_t alignment, std::uint64_t* known);

/// In the checked build: the variable that was given the place.
void name_shared(std::uint64_t place, std::size_t bytes, const DescribedVariable& variable);
void name_dynamic_shared(const DescribedVariable& variable);

/// Tells the runtime, as the program starts, of a static variable. It knows its kernel by the name of `site`, a type
/// that the kernel's body declares.
bool note_shared(const std::type_info& site, std::size_t bytes, std::size_t alignment);

#ifdef __GXX_RTTI
template <class Site, class T, std::size_t alignment>
inline const bool shared_is_noted = note_shared(typeid(Site*), sizeof(T), alignment);
#else
template <class Site, class T, std::size_t alignment>
inline constexpr bool shared_is_noted = false;
#endif

/// __shared__ T name; becomes auto& name = shared<Site, T>(name). Site is a type of its own for each declaration.
template <class Site, class T, std::size_t alignment = alignof(T)>
EMULATOR_UNCHECKED T& shared([[maybe_unused]] const char* name) {
    static_assert(sizeof(T) <= max_static_shared, "a block has 48 KiB of static shared memory at most");
    static_cast<void>(&shared_is_noted<Site, T, alignment>);
    static thread_local std::uint64_t known;
    std::uint64_t place = known;
    if (place >> 32 != this_launch) {
        place = place_shared(sizeof(T), alignment, &known);
        if constexpr (checked) name_shared(place, sizeof(T), describe_variable<T>(name));
    }
    return *reinterpret_cast<T*>(this_block->shared + static_cast<std::uint32_t>(place));
}

/// The launch's dynamic shared memory, as many bytes as its third configuration argument says.
EMULATOR_UNCHECKED inline void* dynamic_shared_memory() {
    return this_block->shared + dynamic_shared_begin;
}

/// extern __shared__ T name[]; becomes auto& name = dynamic_shared<T[]>(name);
template <class T>
EMULATOR_UNCHECKED T& dynamic_shared([[maybe_unused]] const char* name) {
    if constexpr (checked) name_dynamic_shared(describe_variable<T>(name));
    return *static_cast<T*>(dynamic_shared_memory());
}

}  // namespace emulator
