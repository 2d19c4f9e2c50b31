#pragma once

#include <cstdint>
#include <string>

#include "../shadow_memory.h"

// What reports call an allocation. C++ does not tell which variable a pointer is for, so the name is taken from the
// line that made the allocation, as reports quote lines, too: nothing but the words of a report depends on it.
namespace emulator {

/// "12 bytes into d_x (400 bytes, made at file.cu:12)", or beyond it; empty if no allocation is near.
std::string describe_allocation(std::uintptr_t address);

/// "d_x (400 bytes, made at file.cu:12)".
std::string allocation_text(const ShadowMemory& shadow);

/// The variable that the allocation was made for; empty if that is not clear.
std::string allocation_name(const ShadowMemory& shadow);

/// The same of an allocation that was asked for by these calls.
std::string variable_name_at(const ShadowMemory::Frames& callers);

/// "x (made at file.cu:12)" and others of 0 bytes, in a sentence; empty if there are none.
std::string describe_empty_arrays();

/// Of memory that was freed: `otherwise`, unless a launch has led to that.
std::string cause_of_early_free(const ShadowMemory& shadow, const std::string& otherwise);

/// Where the program's own text asked for it: not in the emulator, and not in what wraps cudaMalloc() for everybody.
/// 0 if that is not among the callers.
std::uintptr_t asked_at(const ShadowMemory::Frames& callers);

}  // namespace emulator
