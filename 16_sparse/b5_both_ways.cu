// New here: a level may also be found from below. A vertex that nobody has reached looks for a neighbour in the
// frontier, and stops at the first one (S. Beamer, K. Asanović, D. Patterson, Direction-Optimizing Breadth-First
// Search, 2012). What it should save: edges. Where the frontier is most of the graph, a few looks find a neighbour in
// it, and the other edges of the vertex are never read.
// What remains: a launch for each level, and the host waits for its counts before it can choose the next direction.
// The variant from_below() never goes from above. Where the frontier is small, it reads nearly all edges in each level.

#include <utility>

#include "below.h"
#include "common/check.h"
#include "edges.h"

namespace bfs {
namespace {

constexpr unsigned block_size = 256;

__global__ void visit_from_above(Graph graph, const Row* frontier, Counts size, int level, int* distances, Row* next,
                                 Word* next_size) {
    visit_edge(blockIdx.x * block_size + threadIdx.x, graph, frontier, size, level, distances, next, next_size);
}

__global__ void visit_from_below(Graph graph, int level, int* distances, Row* next, Word* next_size) {
    look_from_below(blockIdx.x * block_size + threadIdx.x, graph, level, distances, next, next_size);
}

unsigned blocks_for(unsigned threads) {
    return (threads + block_size - 1) / block_size;
}

void search(bool always_below, const Graph& graph, int source, int* distances, void* scratch) {
    Word* d_size = static_cast<Word*>(scratch);
    Row *frontier = reinterpret_cast<Row*>(d_size + 1), *next = frontier + graph.vertices;

    begin_at(graph, source, distances);
    Counts size = begin_frontier(graph, source, frontier);
    unsigned edges_left = graph.entries;
    bool is_below = false;
    for (int level = 0; size.edges > 0; ++level) {
        edges_left -= size.edges;
        is_below = always_below || better_from_below(is_below, size, edges_left, graph.vertices);
        CUDA_CHECK(cudaMemsetAsync(d_size, 0, sizeof(Word)));
        if (is_below)
            visit_from_below<<<blocks_for(graph.vertices), block_size>>>(graph, level, distances, next, d_size);
        else
            visit_from_above<<<blocks_for(size.edges), block_size>>>(graph, frontier, size, level, distances, next,
                                                                     d_size);
        CUDA_CHECK_LAUNCH();
        size = read_counts(d_size);
        std::swap(frontier, next);
    }
}

}  // namespace

void both_ways(const Graph& graph, int source, int* distances, void* scratch) {
    search(false, graph, source, distances, scratch);
}

void from_below(const Graph& graph, int source, int* distances, void* scratch) {
    search(true, graph, source, distances, scratch);
}

STAGES(Stage{"from above, or from below where that is less", both_ways},
       Stage{"from_below", "from below in all levels", from_below});

}  // namespace bfs
