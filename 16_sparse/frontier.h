#pragma once

// A frontier that knows its edges, from stage b4 on.

#include "bfs.h"
#include "common/check.h"

namespace bfs {

/// A vertex of the frontier: where its row begins, and how many edges the vertices before it have. A thread that goes
/// along its edges needs no more, not even the number of the vertex.
struct alignas(8) Row {  // for one load of 8 bytes
    int start;
    unsigned edges_before;
};

/// How many vertices a frontier has, and how many edges begin there. Both are in one word of 64 bits, so that a single
/// atomic reserves a place among the vertices and places among the edges: edges_before ascends along the frontier.
struct Counts {
    unsigned edges, vertices;
};

using Word = unsigned long long;

__host__ __device__ inline Word packed(Counts counts) {
    return Word{counts.vertices} << 32 | counts.edges;
}

__host__ __device__ inline Counts unpacked(Word word) {
    return {static_cast<unsigned>(word), static_cast<unsigned>(word >> 32)};
}

/// Appends the vertices of those lanes for which is_new is true. The whole warp calls it.
__device__ inline void append(bool is_new, int vertex, const Graph& graph, Row* frontier, Word* counts) {
    constexpr unsigned all_lanes = 0xffffffff, last = 31;
    const unsigned lane = threadIdx.x % 32, appending = __ballot_sync(all_lanes, is_new);
    if (appending == 0) return;

    const int start = is_new ? graph.row_starts[vertex] : 0, end = is_new ? graph.row_starts[vertex + 1] : 0;
    unsigned edges = end - start;  // and after the loop, those of the lanes up to this one
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const unsigned left = __shfl_up_sync(all_lanes, edges, distance);
        if (lane >= distance) edges += left;
    }
    Word begin = 0;
    if (lane == last) begin = atomicAdd(counts, packed({edges, static_cast<unsigned>(__popc(appending))}));
    begin = __shfl_sync(all_lanes, begin, last);
    const unsigned before = __popc(appending & ((1u << lane) - 1));
    if (is_new) frontier[unpacked(begin).vertices + before] = {start, unpacked(begin).edges + edges - (end - start)};
}

/// Writes the frontier that has the source alone, and says how large it is.
inline Counts begin_frontier(const Graph& graph, int source, Row* frontier) {
    int ends[2];
    CUDA_CHECK(cudaMemcpy(ends, graph.row_starts + source, sizeof ends, cudaMemcpyDeviceToHost));
    const Row row{ends[0], 0};
    CUDA_CHECK(cudaMemcpy(frontier, &row, sizeof row, cudaMemcpyHostToDevice));
    return {static_cast<unsigned>(ends[1] - ends[0]), 1};
}

/// Waits for the level that counts, and says what it has counted.
inline Counts read_counts(const Word* d_counts) {
    Word word = 0;
    CUDA_CHECK(cudaMemcpy(&word, d_counts, sizeof word, cudaMemcpyDeviceToHost));
    return unpacked(word);
}

}  // namespace bfs
