#pragma once

#include <cstdint>

namespace emulator {

/// Called when host code faulted at `address`: opens the allocation there if the host does a kernel's work.
bool open_for_host_work(std::uintptr_t address);

/// Whether the calling thread of the host does a kernel's work: it is in an algorithm of Thrust.
bool does_host_work();

}  // namespace emulator
