#pragma once

#include <vector>

#include "launch.h"

namespace emulator {

struct Fiber;

/// Reports where the threads of the blocks that have begun wait, those at one place together. `what`: what happened.
void report_deadlock(const CheckedLaunch& launch, const std::vector<Fiber*>& fibers, const char* what);

}  // namespace emulator
