#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "emulator/types.h"

// Graphs on the page: their nodes in the order in which they run, and whom each waits for.
namespace emulator {

struct Graph;

struct TracedNode {
    std::string kind, kernel{};  // kernel: of such a node; else empty
    dim3 grid{}, block{};
    std::size_t bytes = 0, nodes = 0;  // of a copy or a fill; of a graph inside
    std::vector<std::size_t> after{};

    bool operator==(const TracedNode& other) const;
};

struct TracedGraph {
    static constexpr std::size_t most = 8, most_nodes = 60;  // that are kept

    std::vector<TracedNode> nodes;
    std::size_t left_out = 0, launches = 1;
};

#ifdef EMULATOR_CHECKED
/// A graph was launched.
void trace_graph(const Graph& graph);
#else
inline void trace_graph(const Graph&) {}
#endif

}  // namespace emulator
