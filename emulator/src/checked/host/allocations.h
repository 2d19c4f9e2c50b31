#pragma once

#include <cstddef>
#include <cstdint>

#include "../shadow_memory.h"
#include "emulator/engine.h"

// Device memory in the checked build: where it comes from, and what is known about each allocation.
namespace emulator {

/// Where the C library's memcpy() or one like it was called from, while host code is in it; else 0.
EMULATOR_TLS std::uintptr_t library_called_at;

/// The host's last access to an address of the device that the compiler has told of, with what its call returns to.
struct HostTouch {
    std::uintptr_t address, bytes, code;
};
EMULATOR_TLS HostTouch last_host_touch;

/// The addresses that allocations have, and what surrounds them.
namespace region {
inline constexpr std::size_t most_bytes = std::size_t{1} << 40, granule = 2u << 20;
extern std::uintptr_t begin;
extern std::size_t bytes;                           // 0: not yet reserved
extern ShadowMemory* owners[most_bytes / granule];  // of each granule
void* reserve(std::size_t n);                       // PROT_NONE, a multiple of granules; null: no room
void give_back(void* mapping, std::size_t n);
}  // namespace region

/// Of the allocation around the address, live or lately freed; null if there is none near.
ShadowMemory* shadow_of(const void* pointer);

/// A kernel begins on the device, one of several: allocations that it cannot reach are closed.
void close_to_others_than(int device);

}  // namespace emulator
