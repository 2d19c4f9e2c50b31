// New here: a thread for each edge of the frontier, not for each vertex. The frontier knows how many edges begin before
// each of its vertices, so that a thread finds the vertex of its edge by binary search (as D. Merrill, M. Garland,
// A. Grimshaw, Scalable GPU Graph Traversal, 2012, share out edges by a scan). What it should save: waiting. A vertex
// with a million neighbours has a million threads, and the lanes of a warp read edges side by side.
// What remains: each edge is followed from both ends, and nearly all of them lead to a vertex that has been reached.

#include <utility>

#include "common/check.h"
#include "frontier.h"
#include "reach.h"

namespace bfs {
namespace {

constexpr unsigned block_size = 256;

/// The last row that begins at this edge or before it.
__device__ Row row_of(unsigned edge, const Row* frontier, unsigned rows) {
    unsigned begin = 0, end = rows;  // it is one of these
    while (end - begin > 1) {
        const unsigned middle = begin + (end - begin) / 2;
        if (frontier[middle].edges_before <= edge)
            begin = middle;
        else
            end = middle;
    }
    return frontier[begin];
}

__global__ void visit(Graph graph, const Row* frontier, Counts size, int level, int* distances, Row* next,
                      Word* next_size) {
    const unsigned edge = blockIdx.x * block_size + threadIdx.x;
    int u = 0;
    bool is_new = false;
    if (edge < size.edges) {
        const Row row = row_of(edge, frontier, size.vertices);
        u = graph.columns[row.start + (edge - row.edges_before)];
        is_new = reach(distances, u, level + 1);
    }
    append(is_new, u, graph, next, next_size);  // the whole warp
}

}  // namespace

void by_edges(const Graph& graph, int source, int* distances, void* scratch) {
    Word* d_size = static_cast<Word*>(scratch);
    Row *frontier = reinterpret_cast<Row*>(d_size + 1), *next = frontier + graph.vertices;

    begin_at(graph, source, distances);
    Counts size = begin_frontier(graph, source, frontier);
    for (int level = 0; size.edges > 0; ++level) {
        CUDA_CHECK(cudaMemsetAsync(d_size, 0, sizeof(Word)));
        visit<<<(size.edges + block_size - 1) / block_size, block_size>>>(graph, frontier, size, level, distances, next,
                                                                          d_size);
        CUDA_CHECK_LAUNCH();
        size = read_counts(d_size);
        std::swap(frontier, next);
    }
}

STAGES(Stage{"one thread per edge of the frontier", by_edges});

}  // namespace bfs
