#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

// What lies where in this process.
namespace emulator {

/// A variable of the device. The linker put them together.
struct Symbol {
    std::uintptr_t begin;
    std::size_t bytes;
    std::string name;
};

/// The last one that begins at the address or before; null if there is none.
const Symbol* symbol_at_or_before(std::uintptr_t address);

/// Whether the process, and not only the device, has something there; and whether it may change it.
bool is_host_memory(std::uintptr_t address, bool* writable);

/// Of an instruction, from the lower half.
std::uintptr_t whole_code_address(std::uint32_t low);

}  // namespace emulator
