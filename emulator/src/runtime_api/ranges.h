#pragma once

#include <string>
#include <vector>

namespace emulator {

/// The calling thread's ranges of NVTX, the outermost first.
const std::vector<std::string>& current_ranges();

}  // namespace emulator
