#pragma once

#include <string>

namespace emulator {

/// The calling thread's innermost range of NVTX; empty outside of all.
std::string current_range();

}  // namespace emulator
