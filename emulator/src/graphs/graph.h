#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "../engine/recorded_launch.h"
#include "../memory/memory.h"
#include "emulator/graphs.h"

namespace emulator {

// What a node does.
struct KernelWork {
    RecordedLaunch launch;
    std::optional<AnyKernel> function{};  // unknown if <<<>>> launched it
    std::vector<std::shared_ptr<void>> arguments{};
    std::vector<void*> pointers{};  // to these

    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeKernel;
};
struct CopyWork {
    cudaMemcpy3DParms parameters;
    bool is_line;  // of bytes, which may be longer than a pitch

    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeMemcpy;
};
struct FillWork {
    cudaMemsetParams parameters;
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeMemset;
};
struct HostWork {
    cudaHostNodeParams parameters;
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeHost;
};
struct ChildWork {
    std::shared_ptr<Graph> graph;
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeGraph;
};
struct NoWork {
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
};
struct RecordWork {
    cudaEvent_t event;
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeEventRecord;
};
struct WaitWork {
    cudaEvent_t event;
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeWaitEvent;
};
// These two are drawn as empty nodes are.
struct AllocationWork : NoWork {
    std::shared_ptr<const ReservedAddress> memory;
    cudaMemAllocNodeParams parameters;  // with the address
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeMemAlloc;
};
struct FreeWork : NoWork {
    void* pointer;
    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeMemFree;
};
struct ConditionalWork {
    cudaGraphConditionalHandle handle;
    cudaGraphConditionalNodeType kind;
    std::vector<std::shared_ptr<Graph>> bodies;
    std::vector<cudaGraph_t> handles{};  // of the bodies, for the program

    static constexpr cudaGraphNodeType type = cudaGraphNodeTypeConditional;
};
using NodeWork = std::variant<NoWork, KernelWork, CopyWork, FillWork, HostWork, ChildWork, RecordWork, WaitWork,
                              ConditionalWork, AllocationWork, FreeWork>;

cudaGraphNodeType type_of(const NodeWork& work);

/// Copies of the arguments, for a program that asks for them.
void keep_arguments(const AnyKernel& kernel, void** arguments, KernelWork* work);

CopyWork copy_of_line(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);

struct GraphNode {
    NodeWork work;
    Graph* graph;
    std::vector<GraphNode*> before{}, after{};  // whom it waits for, and who waits for it
    bool enabled = true;                        // of an executable graph
};

struct Graph {
    Graph();
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    GraphNode* add(NodeWork work, const std::vector<GraphNode*>& before);
    void remove(GraphNode* node);

    /// A copy, of the graphs inside as well. Nodes are found in it by those of the original.
    std::shared_ptr<Graph> clone() const;

    /// The nodes, each behind those that it waits for; nothing if some wait for each other. Where n could be next,
    /// choose(n) says which one is, from 0 on; without it, it is the first.
    using Choice = std::function<std::size_t(std::size_t)>;
    std::optional<std::vector<GraphNode*>> in_order(const Choice& choose = {}) const;

    std::vector<std::unique_ptr<GraphNode>> nodes;
    std::map<const GraphNode*, GraphNode*> copies;  // of a clone
    const unsigned long long id;
};

struct GraphExec {
    std::shared_ptr<Graph> graph;
    unsigned long long flags;
};

/// For all that programs may change: graphs, their nodes, captures.
std::recursive_mutex& graphs_mutex();

/// Whether it is a node of a graph that is there.
bool is_node(const GraphNode* node);
bool is_graph(const Graph* graph);

bool add_edge(GraphNode* from, GraphNode* to);  // false if it is there already

/// A graph that belongs to the program now.
cudaGraph_t give_to_program(std::shared_ptr<Graph> graph);

/// Does what the nodes say.
cudaError_t run(const Graph& graph, cudaStream_t stream);

}  // namespace emulator
