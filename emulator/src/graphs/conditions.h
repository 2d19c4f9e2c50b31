#pragma once

#include "emulator/graphs.h"

// The values that kernels set and that decide what conditional nodes do. They are kept for good: an executable graph
// may live longer than the graph that they were made for.
namespace emulator {

cudaGraphConditionalHandle make_condition(unsigned value, unsigned flags);
bool is_condition(cudaGraphConditionalHandle handle);
unsigned condition(cudaGraphConditionalHandle handle);

/// A launch begins: those that were made with cudaGraphCondAssignDefault have their first value again.
void reset_condition(cudaGraphConditionalHandle handle);

}  // namespace emulator
