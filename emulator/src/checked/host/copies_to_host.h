#pragma once

#include <cstddef>
#include <cstdint>

#include "../shadow_memory.h"

// Bytes of device memory that nobody has written may be copied to the host, as the padding of rows and structures and
// the end of a buffer that is not full are. It is worth a note once the host reads them there.
namespace emulator {

/// A copy to ordinary memory of the host. `shadow`: of where it comes from, or null.
void copied_to_host(std::uintptr_t to, const ShadowMemory* shadow, std::uintptr_t from, std::size_t bytes);

/// The host comes to know what kernels have written there: perhaps the addresses of functions.
void note_from_device(std::uintptr_t address, std::size_t bytes);
/// Whether a kernel may have given the host this address of a function. Else the host has taken it itself.
bool may_be_from_device(std::uintptr_t function);

/// The host's memory in which there may be such bytes.
extern std::uintptr_t unwritten_begin;
extern std::size_t unwritten_bytes;

/// Host code reads or writes there.
void host_reads(std::uintptr_t address, std::size_t bytes, std::uintptr_t code);
void host_writes(std::uintptr_t address, std::size_t bytes);

}  // namespace emulator
