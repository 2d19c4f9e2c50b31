// New here: all levels in one cooperative launch, with a barrier of the whole grid between two levels. The counts of a
// frontier stay on the device. What it should save: for each level a launch, a memset, and a copy that the host waits
// for. Where a graph has many small levels, that is most of the time.
// What remains: the barrier, for which all blocks wait even if the frontier has work for one of them only.

#include <algorithm>

#include <cooperative_groups.h>

#include "below.h"
#include "common/check.h"
#include "common/device.h"
#include "edges.h"

namespace bfs {
namespace {

constexpr unsigned block_size = 256;

/// sizes: three counts. One is of the frontier, one counts the next, and one becomes 0 for the level after that.
__global__ void visit_all(Graph graph, Counts first, int* distances, Row* frontier, Row* next, Word* sizes) {
    const auto grid = cooperative_groups::this_grid();
    Counts size = first;
    unsigned edges_left = graph.entries;
    bool is_below = false;
    for (int level = 0; size.edges > 0; ++level) {
        Word* next_size = &sizes[level % 3];
        if (grid.thread_rank() == 0) sizes[(level + 1) % 3] = 0;
        edges_left -= size.edges;
        is_below = better_from_below(is_below, size, edges_left, graph.vertices);  // All threads choose the same.
        const unsigned work = is_below ? graph.vertices : size.edges;
        for (unsigned begin = blockIdx.x * block_size; begin < work; begin += gridDim.x * block_size) {
            if (is_below)
                look_from_below(begin + threadIdx.x, graph, level, distances, next, next_size);
            else
                visit_edge(begin + threadIdx.x, graph, frontier, size, level, distances, next, next_size);
        }
        grid.sync();  // All have written, so that all may read.
        size = unpacked(*next_size);
        Row* const read = frontier;
        frontier = next;
        next = read;
    }
}

}  // namespace

void one_launch(const Graph& graph, int source, int* distances, void* scratch) {
    Word* sizes = static_cast<Word*>(scratch);
    Row *frontier = reinterpret_cast<Row*>(sizes + 3), *next = frontier + graph.vertices;

    begin_at(graph, source, distances);
    Counts size = begin_frontier(graph, source, frontier);
    CUDA_CHECK(cudaMemsetAsync(sizes, 0, 3 * sizeof(Word)));

    int per_multiprocessor = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, visit_all, block_size, 0));
    const unsigned blocks = std::min(multiprocessors() * per_multiprocessor, graph.entries / block_size + 1);

    Graph argument = graph;
    void* arguments[] = {&argument, &size, &distances, &frontier, &next, &sizes};
    CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(visit_all), blocks, block_size, arguments, 0,
                                           nullptr));
}

STAGES(Stage{"all levels in one cooperative launch", one_launch});

}  // namespace bfs
