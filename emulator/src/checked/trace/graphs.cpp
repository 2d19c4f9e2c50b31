#include "graphs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "../../graphs/graph.h"
#include "trace.h"

namespace emulator {
namespace {

struct Describe {
    TracedNode operator()(const KernelWork& work) const {
        return {.kind = "kernel", .kernel = work.launch.kernel, .grid = work.launch.grid, .block = work.launch.block};
    }
    TracedNode operator()(const CopyWork& work) const {
        const cudaExtent& extent = work.parameters.extent;
        return {.kind = "copy", .bytes = extent.width * extent.height * extent.depth};
    }
    TracedNode operator()(const FillWork& work) const {
        const cudaMemsetParams& p = work.parameters;
        return {.kind = "fill", .bytes = p.width * p.elementSize * p.height};
    }
    TracedNode operator()(const ChildWork& work) const { return {.kind = "graph", .nodes = work.graph->nodes.size()}; }
    TracedNode operator()(const HostWork&) const { return {.kind = "host function"}; }
    TracedNode operator()(const NoWork&) const { return {.kind = "empty"}; }
    TracedNode operator()(const RecordWork&) const { return {.kind = "recording of an event"}; }
    TracedNode operator()(const WaitWork&) const { return {.kind = "wait for an event"}; }
    TracedNode operator()(const ConditionalWork&) const { return {.kind = "condition"}; }
};

bool is_same(dim3 a, dim3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

}  // namespace

bool TracedNode::operator==(const TracedNode& other) const {
    return kind == other.kind && kernel == other.kernel && is_same(grid, other.grid) && is_same(block, other.block) &&
           bytes == other.bytes && nodes == other.nodes && after == other.after;
}

void trace_graph(const Graph& graph) {
    if (!watching) return;
    TracedGraph traced;
    std::map<const GraphNode*, std::size_t> numbers;
    for (const GraphNode* node : graph.in_order().value_or(std::vector<GraphNode*>())) {
        if (traced.nodes.size() == TracedGraph::most_nodes) {
            ++traced.left_out;
            continue;
        }
        TracedNode described = std::visit(Describe(), node->work);
        if (!node->enabled) described.kind = "turned off";
        for (const GraphNode* before : node->before) described.after.push_back(numbers.at(before));
        std::ranges::sort(described.after);
        numbers[node] = traced.nodes.size();
        traced.nodes.push_back(std::move(described));
    }
    Trace::instance().graph(std::move(traced));
}

}  // namespace emulator
