#pragma once

// Going along an edge of the frontier, as stage b4 has it, for the stages after it.

#include "frontier.h"
#include "reach.h"

namespace bfs {

/// The last row that begins at this edge or before it.
__device__ inline Row row_of(unsigned edge, const Row* frontier, unsigned rows) {
    unsigned begin = 0, end = rows;
    while (end - begin > 1) {
        const unsigned middle = begin + (end - begin) / 2;
        (frontier[middle].edges_before <= edge ? begin : end) = middle;
    }
    return frontier[begin];
}

/// Reaches for the vertex at the end of this edge, if there is such an edge, and appends it if it is new. The whole
/// warp calls it, with an edge for each lane.
__device__ inline void visit_edge(unsigned edge, const Graph& graph, const Row* frontier, Counts size, int level,
                                  int* distances, Row* next, Word* next_size) {
    int u = 0;
    bool is_new = false;
    if (edge < size.edges) {
        const Row row = row_of(edge, frontier, size.vertices);
        u = graph.columns[row.start + (edge - row.edges_before)];
        is_new = reach(distances, u, level + 1);
    }
    append(is_new, u, graph, next, next_size);
}

}  // namespace bfs
