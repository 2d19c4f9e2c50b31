#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "emulator/engine.h"
#include "shadow_memory.h"

// Device memory in the checked build: where it comes from, and what is known about each allocation.
namespace emulator {

/// Where the C library's memcpy() or one like it was called last from, outside of kernels.
EMULATOR_TLS std::uintptr_t library_called_at;

/// The addresses that allocations have, and what surrounds them.
namespace region {
inline constexpr std::size_t bytes = std::size_t{1} << 40, granule = 2u << 20;
extern std::uintptr_t begin;                   // null: not yet reserved
extern ShadowMemory* owners[bytes / granule];  // of each granule
void* reserve(std::size_t n);                  // PROT_NONE, a multiple of granules; null: no room
void give_back(void* mapping, std::size_t n);
}  // namespace region

/// Of the allocation around the address, live or lately freed; null if there is none near.
ShadowMemory* shadow_of(const void* pointer);

/// "12 bytes into d_x (400 bytes, made at file.cu:12)", or beyond it; empty if no allocation is near.
std::string describe_allocation(std::uintptr_t address);

/// Where the program's own text asked for it: not in the emulator, and not in what wraps cudaMalloc() for everybody.
/// 0 if that is not among the callers.
std::uintptr_t asked_at(const ShadowMemory::Frames& callers);

}  // namespace emulator
