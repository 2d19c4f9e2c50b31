#pragma once

#include <cstdint>
#include <vector>

#include "source_places.h"

namespace emulator {

/// The lines that an instruction of this process belongs to, by the line tables in the program and its libraries: first
/// its own, then those of the calls that were inlined. Empty if nothing is known.
std::vector<SourcePlace> inlined_lines(std::uintptr_t code);

}  // namespace emulator
