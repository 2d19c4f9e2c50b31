// New here: the frontier. The vertices that a level has reached are written one behind the other into a list, and only
// they get a thread in the next level. What it should save: looking at all vertices in every level. Now a vertex gets a
// thread once.
// What remains: an atomic on one counter for each vertex, to find its place in the list; and a thread has all edges of
// its vertex to itself. If one vertex has a million neighbours, all others wait for its thread.
// The variant by_ballot() has one atomic for all the vertices that a warp reaches at the same time. It gains nothing:
// nvcc makes that of the plain atomic, too.

#include <utility>

#include "common/check.h"
#include "reach.h"

namespace bfs {
namespace {

constexpr int block_size = 256;

__global__ void visit(Graph graph, const int* frontier, int size, int level, int* distances, int* next,
                      int* next_size) {
    const int i = blockIdx.x * block_size + threadIdx.x;
    if (i >= size) return;
    const int v = frontier[i];
    for (int e = graph.row_starts[v], end = graph.row_starts[v + 1]; e < end; ++e) {
        const int u = graph.columns[e];
        if (reach(distances, u, level + 1)) next[atomicAdd(next_size, 1)] = u;
    }
}

/// Appends the vertices of those lanes for which is_new is true. The whole warp calls it.
__device__ void append(bool is_new, int vertex, int* list, int* size) {
    constexpr unsigned all_lanes = 0xffffffff;
    const unsigned lane = threadIdx.x % 32, appending = __ballot_sync(all_lanes, is_new);
    if (appending == 0) return;
    int begin = 0;
    if (lane == 0) begin = atomicAdd(size, __popc(appending));
    begin = __shfl_sync(all_lanes, begin, 0);
    const unsigned before = appending & ((1u << lane) - 1);  // the lanes below this one
    if (is_new) list[begin + __popc(before)] = vertex;
}

__global__ void visit_with_ballot(Graph graph, const int* frontier, int size, int level, int* distances, int* next,
                                  int* next_size) {
    const int i = blockIdx.x * block_size + threadIdx.x;
    int e = 0, end = 0;  // a lane without a vertex has no edges, but takes part in the ballots
    if (i < size) {
        e = graph.row_starts[frontier[i]];
        end = graph.row_starts[frontier[i] + 1];
    }
    for (; __any_sync(0xffffffff, e < end); ++e) {
        const int u = e < end ? graph.columns[e] : 0;
        append(e < end && reach(distances, u, level + 1), u, next, next_size);
    }
}

using Visit = void(Graph graph, const int* frontier, int size, int level, int* distances, int* next, int* next_size);

void search(Visit* visit, const Graph& graph, int source, int* distances, void* scratch) {
    int* d_size = static_cast<int*>(scratch);
    int *frontier = d_size + 1, *next = frontier + graph.vertices;

    begin_at(graph, source, distances);
    CUDA_CHECK(cudaMemcpyAsync(frontier, &source, sizeof(int), cudaMemcpyHostToDevice));
    int size = 1;
    for (int level = 0; size > 0; ++level) {
        CUDA_CHECK(cudaMemsetAsync(d_size, 0, sizeof(int)));
        visit<<<(size + block_size - 1) / block_size, block_size>>>(graph, frontier, size, level, distances, next,
                                                                    d_size);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost));  // waits for the level
        std::swap(frontier, next);
    }
}

}  // namespace

void by_frontier(const Graph& graph, int source, int* distances, void* scratch) {
    search(visit, graph, source, distances, scratch);
}

void by_ballot(const Graph& graph, int source, int* distances, void* scratch) {
    search(visit_with_ballot, graph, source, distances, scratch);
}

STAGES(Stage{"one thread per vertex of the frontier", by_frontier},
       Stage{"ballot", "one atomic for all vertices that a warp finds", by_ballot});

}  // namespace bfs
