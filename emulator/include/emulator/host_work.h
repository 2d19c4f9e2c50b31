#pragma once

#include <cstddef>

#include "emulator/types.h"

// Work of the device that the host does in a kernel's place: Thrust's algorithms (emulator/thrust.h).
namespace emulator {

/// Waits for the stream, as a copy does. If that succeeds, the calling host thread may touch the current device's
/// memory up to the end. They nest: only the outermost one waits.
cudaError_t begin_host_work(cudaStream_t stream);
void end_host_work();

/// Tells the observer what that work has copied, as cudaMemcpy() tells it.
void tell_of_host_copy(const void* to, const void* from, std::size_t bytes);

}  // namespace emulator
