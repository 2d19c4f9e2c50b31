#pragma once

#include "emulator/check.h"

// A kernel that was launched with programmatic stream serialization may begin before the one ahead of it in its stream
// has ended: the first function waits for that one. Here it has ended anyway, and only the checked build minds. The
// second one lets the next kernel begin.

EMULATOR_INLINE void cudaGridDependencySynchronize() {
    ::emulator::check_grid_dependency();
}
EMULATOR_INLINE void cudaTriggerProgrammaticLaunchCompletion() {
    ::emulator::check_grid_trigger();
}
