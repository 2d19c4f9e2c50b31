#pragma once

// A level from below, for stages b5 and b6.

#include "frontier.h"
#include "reach.h"

namespace bfs {

/// If nobody has reached vertex v, it looks for a neighbour of this level, and is appended if it has one. The whole
/// warp calls it, with a vertex for each lane; there may be no such vertex.
__device__ inline void look_from_below(int v, const Graph& graph, int level, int* distances, Row* next,
                                       Word* next_size) {
    bool is_new = false;
    if (v < graph.vertices && distances[v] == unreached) {  // No other thread writes it.
        for (int e = graph.row_starts[v], end = graph.row_starts[v + 1]; e < end && !is_new; ++e)
            is_new = load(&distances[graph.columns[e]]) == level;
        if (is_new) store(&distances[v], level + 1);
    }
    append(is_new, v, graph, next, next_size);
}

/// Beamer's rule, with his numbers: from below once a fourteenth of the edges that are left begin in the frontier, and
/// from above again when it has less than a 24th of the vertices. He asks for so many vertices on the way back only;
/// but a few vertices are hard to find from below, however many edges they have.
__host__ __device__ inline bool better_from_below(bool is_below, Counts frontier, unsigned edges_left, int vertices) {
    return frontier.vertices >= vertices / 24u && (is_below || frontier.edges > edges_left / 14);
}

}  // namespace bfs
