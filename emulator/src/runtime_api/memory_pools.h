#pragma once

#include <cstddef>

#include "../graphs/graph.h"
#include "emulator/memory_pools.h"

namespace emulator {

/// The pool from which cudaMallocAsync() takes memory.
MemoryPool* current_pool(int device);

/// Memory of the pool's device, in the order of a stream. It may be freed like other memory.
cudaError_t allocate_in_stream(void** pointer, std::size_t bytes, MemoryPool* pool, cudaStream_t stream);
cudaError_t free_in_stream(void* pointer, cudaStream_t stream);

/// For a node that allocates memory: an address for it.
cudaError_t make(const cudaMemAllocNodeParams& parameters, AllocationWork* work);

}  // namespace emulator
