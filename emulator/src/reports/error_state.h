#pragma once

#include "emulator/types.h"

// The error state that a CUDA context and its host threads keep.
namespace emulator {

/// Remembers `error` for the calling thread's cudaGetLastError() unless it is cudaSuccess; returns it.
cudaError_t set_last_error(cudaError_t error);

/// The error that was remembered for the calling thread.
cudaError_t last_error();
void forget_last_error();

/// A kernel of the device failed while it ran. As on a device nobody is told until a later call waits or looks.
void set_kernel_error(cudaError_t error, int device = 0);

/// The error that has spoilt the process, with all its devices: every call but those that ask for errors answers with
/// it. Else cudaSuccess.
cudaError_t sticky_error();

/// cudaDeviceReset() of the device whose kernel has failed makes all whole again.
void clear_sticky_error(int device = 0);

/// One line on stderr that says what an error code alone cannot. Takes printf's arguments.
void explain(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace emulator
