#pragma once

#include "julia.h"

namespace julia {

/// Opens a window in which the user moves through the plane, drawn by a stage of the device, and returns when it is
/// closed. If no window can be opened, it prints one line on stderr and returns at once. Throws cuda_error.
void explore(const View& start, const Stage& stage);

}  // namespace julia
