#pragma once

// What every stage on the device does with the distance of a vertex, while other threads may do the same.

#include <cuda/atomic>

#include "bfs.h"
#include "common/check.h"

namespace bfs {

/// Other threads may write the word meanwhile. Relaxed: the value matters, and no order of anything else.
__device__ inline int load(int* word) {
    return cuda::atomic_ref<int, cuda::thread_scope_device>(*word).load(cuda::memory_order_relaxed);
}

/// Other threads may read the word meanwhile, or write it.
__device__ inline void store(int* word, int value) {
    cuda::atomic_ref<int, cuda::thread_scope_device>(*word).store(value, cuda::memory_order_relaxed);
}

/// Gives the vertex its distance if it has none. True for one thread only, the first one. It looks before it compares
/// and swaps, since most edges lead to a vertex that has been reached.
__device__ inline bool reach(int* distances, int vertex, int distance) {
    return load(&distances[vertex]) == unreached && atomicCAS(&distances[vertex], unreached, distance) == unreached;
}

/// Queues it: no vertex is reached but the source, which is at distance 0.
inline void begin_at(const Graph& graph, int source, int* distances) {
    CUDA_CHECK(cudaMemsetAsync(distances, 0xff, graph.vertices * sizeof(int)));
    CUDA_CHECK(cudaMemsetAsync(distances + source, 0, sizeof(int)));
}

}  // namespace bfs
