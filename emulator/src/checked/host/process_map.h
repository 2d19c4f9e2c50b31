#pragma once

#include <cstdint>

#include "../../reports/debug_information.h"

// What lies where in this process.
namespace emulator {

/// The last variable of the device that begins at the address or before; null if there is none.
const NamedVariable* variable_at_or_before(std::uintptr_t address);

/// The one whose bytes the address is among, or the nearest one if it is close; null: none.
const NamedVariable* variable_near(std::uintptr_t address);

/// Whether the process, and not only the device, has something there; and whether it may change it.
bool is_host_memory(std::uintptr_t address, bool* writable);

/// Of an instruction, from the lower half.
std::uintptr_t whole_code_address(std::uint32_t low);

}  // namespace emulator
