#pragma once

#include "common/pictures/bitmap.h"
#include "stencil.h"

namespace stencil {

/// A plate at 20 °C whose upper edge is at 100 °C, after the plate's steps: cold is black, then red, yellow and white.
/// A stage of the device takes the steps. Throws cuda_error.
Bitmap heated(const Plate& plate, const Stage& stage);

/// Opens a window in which that plate heats up, plate.steps steps from one picture to the next, and returns when it is
/// closed. If no window can be opened, it prints one line on stderr and returns at once. Throws cuda_error.
void show_heating(const Plate& plate, const Stage& stage);

}  // namespace stencil
