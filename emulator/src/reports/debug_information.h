#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "source_places.h"

namespace emulator {

/// The lines that an instruction of this process belongs to, by the line tables in the program and its libraries: first
/// its own, then those of the calls that were inlined. Empty if nothing is known.
std::vector<SourcePlace> inlined_lines(std::uintptr_t code);

/// A variable, by a symbol table of the program or of one of its libraries; its name as in the source.
struct NamedVariable {
    std::uintptr_t begin;
    std::size_t bytes;
    std::string name;
};

/// The variables whose addresses are wanted, in the order of these.
std::vector<NamedVariable> variables(bool (*is_wanted)(const void* address));

/// How many libraries this process has loaded and unloaded so far.
unsigned long long loads_and_unloads();

}  // namespace emulator
