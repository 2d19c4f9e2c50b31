#pragma once

#include "stencil.h"

namespace stencil {

/// A step for the rows from `begin` to `end` of a strip of a plate, whose first and last rows are the plate's border or
/// other strips' rows. strip.steps does not matter. in, out: as for Launch. The work is queued on `stream`. Throws
/// cuda_error.
void step_strip(const Plate& strip, int begin, int end, const float* in, float* out, cudaStream_t stream);

/// Two streams of the current device, which wait for no other. The blocks of at_cuts start before those of inside that
/// have not started yet. Throws cuda_error.
void make_streams(cudaStream_t& at_cuts, cudaStream_t& inside);

}  // namespace stencil
