#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>

#include "common/stage.h"
#include "csr.h"

// Breadth-first search: how many edges each vertex of a graph is away from the source.
namespace bfs {

/// An undirected graph in device memory, as the CSR arrays of a square matrix without its values: the neighbours of
/// vertex v are columns[row_starts[v]] to columns[row_starts[v + 1] - 1]. If u is a neighbour of v, v is one of u. Each
/// edge is there twice, once from either end. A vertex may be its own neighbour, and one neighbour may be listed twice.
/// 1 to max_vertices vertices, and at most 2^31 - 1 entries.
struct Graph {
    int vertices, entries;
    const int* row_starts;
    const int* columns;
};

inline constexpr int max_vertices = 1 << 30;

/// The distance of a vertex that no path leads to. Every byte of it is 0xff, so that cudaMemset() can write it.
inline constexpr int unreached = -1;

/// distances[v] = how many edges the shortest path from the source to v has, or `unreached`. The source is a vertex;
/// distances: one number for each vertex, in device memory. scratch: scratch_bytes(graph.vertices) bytes in device
/// memory, aligned as cudaMalloc() does it; what is in them does not matter, before and after. The work is on the
/// default stream; most stages wait for it after each level. Throws cuda_error.
using Launch = void(const Graph& graph, int source, int* distances, void* scratch);

/// The same on the host.
using OnHost = void(const sparse::Csr& graph, int source, std::span<int> distances);

/// Room for two frontiers with 8 bytes a vertex, and for a few counters.
constexpr std::size_t scratch_bytes(int vertices) {
    return 16 * std::size_t(vertices) + 64;
}

OnHost cpu;  // b1_cpu.cpp

using Stage = ::Stage<Launch, OnHost>;
inline const std::vector<Stage>& stages = all_stages<Stage>();

}  // namespace bfs
