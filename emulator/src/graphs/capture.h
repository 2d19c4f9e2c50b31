#pragma once

#include <optional>

#include "emulator/graphs.h"
#include "graph.h"

// Streams that capture: the runtime asks here what becomes of a call.
namespace emulator {

/// What a call on that stream answers if it is not done now: it has become a node of the stream's graph, or a capture
/// does not allow it. Nothing: the stream does not capture.
std::optional<cudaError_t> capture(cudaStream_t stream, NodeWork work);

/// Whether any stream captures: without, there is nothing to ask.
bool may_capture();

/// The kernel that the stream has just captured was launched with these arguments.
void keep_captured_arguments(cudaStream_t stream, const AnyKernel& kernel, void** arguments);

/// The same for a call that no graph can have: it is refused, and the capture is invalid.
std::optional<cudaError_t> refuse_in_capture(cudaStream_t stream, cudaError_t error);

std::optional<cudaError_t> capture_recording(cudaEvent_t event, cudaStream_t stream, bool external);
std::optional<cudaError_t> capture_waiting(cudaStream_t stream, cudaEvent_t event, bool external);

/// An error if the event was last recorded in a capture.
cudaError_t check_not_captured(cudaEvent_t event);

/// Why a call of that name is refused, since some stream captures; else cudaSuccess. The captures that refuse it are
/// invalid then.
cudaError_t check_captures(const char* call);

/// A stream or an event is destroyed, or all are.
void forget_captured(cudaStream_t stream);
void forget_captured(cudaEvent_t event);
void forget_captures();

}  // namespace emulator
