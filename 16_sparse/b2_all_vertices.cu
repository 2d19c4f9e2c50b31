// New here: a launch for each level, with a thread for each vertex (P. Harish, P. J. Narayanan, Accelerating Large
// Graph Algorithms on the GPU Using CUDA, 2007). Threads of the level's vertices reach for their neighbours. What it
// should save: the vertices of a level don't wait for each other, as they do in a queue.
// What remains: every launch looks at all vertices, and only a few are of its level. A graph of many levels is looked
// at many times.

#include "common/check.h"
#include "reach.h"

namespace bfs {
namespace {

constexpr int block_size = 256;

__global__ void visit_level(Graph graph, int level, int* distances, int* is_found) {
    const int v = blockIdx.x * block_size + threadIdx.x;
    if (v >= graph.vertices || load(&distances[v]) != level) return;
    for (int e = graph.row_starts[v], end = graph.row_starts[v + 1]; e < end; ++e)
        if (reach(distances, graph.columns[e], level + 1)) store(is_found, 1);
}

}  // namespace

void all_vertices(const Graph& graph, int source, int* distances, void* scratch) {
    int* d_is_found = static_cast<int*>(scratch);
    const int blocks = (graph.vertices + block_size - 1) / block_size;

    begin_at(graph, source, distances);
    int is_found = 1;
    for (int level = 0; is_found; ++level) {
        CUDA_CHECK(cudaMemsetAsync(d_is_found, 0, sizeof(int)));
        visit_level<<<blocks, block_size>>>(graph, level, distances, d_is_found);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaMemcpy(&is_found, d_is_found, sizeof(int), cudaMemcpyDeviceToHost));  // waits for the level
    }
}

STAGES(Stage{"one thread per vertex, in each level", all_vertices});

}  // namespace bfs
