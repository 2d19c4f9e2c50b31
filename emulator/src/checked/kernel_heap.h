#pragma once

#include <cstdint>

namespace emulator {

/// Whether the address is in what a kernel has allocated with malloc() or new.
bool is_from_kernel(std::uintptr_t address);

}  // namespace emulator
