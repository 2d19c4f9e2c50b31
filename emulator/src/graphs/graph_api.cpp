// The calls about graphs, their nodes, and executable graphs. capture.cpp has those about capturing.

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include "../checked/host/stream_order.h"
#include "../checked/trace/graphs.h"
#include "../reports/error_state.h"
#include "../runtime_api/api.h"
#include "../runtime_api/memory_pools.h"
#include "capture.h"
#include "conditions.h"
#include "graph.h"

namespace emulator {
namespace {

// Graphs that belong to the program, and executable ones. Never destroyed: static objects may hold some.
struct Owned {
    std::map<const Graph*, std::shared_ptr<Graph>> graphs;
    std::set<const GraphExec*> execs;
};

Owned& owned() {
    static auto& all = *new Owned;
    return all;
}

bool is_exec(const GraphExec* exec) {
    return owned().execs.count(exec) > 0;
}

template <class Call>
cudaError_t graph_call(Call call, const char* name = __builtin_FUNCTION()) {
    return api(
        [&] {
            const std::lock_guard lock(graphs_mutex());
            return call();
        },
        name);
}

// The dependencies of a node that is to be added; nothing if they are not of this graph.
std::optional<std::vector<GraphNode*>> read(const cudaGraphNode_t* nodes, std::size_t n, const Graph* graph) {
    if (n > 0 && nodes == nullptr) return std::nullopt;
    std::vector<GraphNode*> found;
    for (std::size_t i = 0; i < n; ++i) {
        if (!is_node(nodes[i]) || nodes[i]->graph != graph) return std::nullopt;
        if (std::find(found.begin(), found.end(), nodes[i]) != found.end()) return std::nullopt;
        found.push_back(nodes[i]);
    }
    return found;
}

bool are_ordinary(const cudaGraphEdgeData* edges, std::size_t n) {
    for (std::size_t i = 0; edges != nullptr && i < n; ++i)
        if (edges[i].from_port != 0 || edges[i].to_port != 0 || edges[i].type != 0) {
            explain("not supported: programmatic dependencies between the nodes of a graph");
            return false;
        }
    return true;
}

// ------------------------------------------------------------------------------------------ from parameters to work

// `make` sets *work, or says why it cannot.
template <class Make>
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, std::size_t n,
                Make make) {
    const auto before = is_graph(graph) ? read(dependencies, n, graph) : std::nullopt;
    if (node == nullptr || !before) return cudaErrorInvalidValue;
    NodeWork work;
    if (const cudaError_t error = make(&work)) return error;
    *node = graph->add(std::move(work), *before);
    return cudaSuccess;
}

// Another work of the same type for a node.
template <class Make>
cudaError_t change(GraphNode* node, cudaGraphNodeType type, Make make) {
    if (node == nullptr || type_of(node->work) != type) return cudaErrorInvalidValue;
    NodeWork work;
    if (const cudaError_t error = make(&work)) return error;
    node->work = std::move(work);
    return cudaSuccess;
}

GraphNode* live(cudaGraphNode_t node) {
    return is_node(node) ? node : nullptr;
}

template <class Make>
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, std::size_t n,
                     Make make, const char* name = __builtin_FUNCTION()) {
    return graph_call([&] { return add(node, graph, dependencies, n, make); }, name);
}

template <class Make>
cudaError_t change_node(cudaGraphNode_t node, cudaGraphNodeType type, Make make,
                        const char* name = __builtin_FUNCTION()) {
    return graph_call([&] { return change(live(node), type, make); }, name);
}

// The executable graph's own node.
GraphNode* node_of(cudaGraphExec_t exec, cudaGraphNode_t node) {
    if (!is_exec(exec)) return nullptr;
    const auto found = exec->graph->copies.find(node);
    return found == exec->graph->copies.end() ? nullptr : found->second;
}

template <class Make>
cudaError_t change_exec(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeType type, Make make,
                        const char* name = __builtin_FUNCTION()) {
    return graph_call([&] { return change(node_of(exec, node), type, make); }, name);
}

// The kernel is launched, as far as to be checked and written down.
template <class Parameters>
cudaError_t make(const Parameters& p, KernelWork* work) {
    if (p.extra != nullptr) {
        explain("not supported: the arguments of a kernel node by `extra`");
        return cudaErrorNotSupported;
    }
    if (p.func == nullptr) return cudaErrorInvalidDeviceFunction;
    const AnyKernel kernel(p.func);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (!arguments_are_there(kernel, p.kernelParams)) return cudaErrorInvalidValue;
    const cudaError_t before = last_error();
    forget_last_error();
    {
        const Recording recording(&work->launch);
        const Launch launch(p.gridDim, p.blockDim, p.sharedMemBytes);
        kernel(p.kernelParams);
    }
    const cudaError_t error = last_error();
    forget_last_error();
    set_last_error(before);
    if (error != cudaSuccess) return error;
    keep_arguments(kernel, p.kernelParams, work);
    return cudaSuccess;
}

cudaError_t make(const cudaKernelNodeParams* p, NodeWork* work) {
    KernelWork kernel;
    const cudaError_t error = p == nullptr ? cudaErrorInvalidValue : make(*p, &kernel);
    if (error == cudaSuccess) *work = std::move(kernel);
    return error;
}

cudaError_t make(const cudaMemcpy3DParms* p, NodeWork* work) {
    if (p == nullptr) return cudaErrorInvalidValue;
    if (p->srcArray != nullptr || p->dstArray != nullptr) {
        explain("not supported: copies of arrays in a graph");
        return cudaErrorNotSupported;
    }
    if (p->kind < cudaMemcpyHostToHost || p->kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (p->srcPtr.ptr == nullptr || p->dstPtr.ptr == nullptr) return cudaErrorInvalidValue;
    *work = CopyWork{*p, false};
    return cudaSuccess;
}

cudaError_t make_line(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, NodeWork* work) {
    const CopyWork line = copy_of_line(to, from, bytes, kind);
    const cudaError_t error = make(&line.parameters, work);
    if (error == cudaSuccess) *work = line;
    return error;
}

template <class Parameters>
cudaError_t make_fill(const Parameters* p, NodeWork* work) {
    if (p == nullptr || p->dst == nullptr) return cudaErrorInvalidValue;
    if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4) return cudaErrorInvalidValue;
    if (p->width == 0 || p->height == 0 || (p->height > 1 && p->pitch < p->width * p->elementSize))
        return cudaErrorInvalidValue;
    *work = FillWork{{p->dst, p->pitch, p->value, p->elementSize, p->width, p->height}};
    return cudaSuccess;
}

template <class Parameters>
cudaError_t make_host(const Parameters* p, NodeWork* work) {
    if (p == nullptr || p->fn == nullptr) return cudaErrorInvalidValue;
    *work = HostWork{{p->fn, p->userData}};
    return cudaSuccess;
}

cudaError_t make_child(cudaGraph_t child, NodeWork* work) {
    if (!is_graph(child)) return cudaErrorInvalidValue;
    *work = ChildWork{child->clone()};
    return cudaSuccess;
}

template <class EventWork>
cudaError_t make_event(cudaEvent_t event, NodeWork* work) {
    if (!is_event(event)) return cudaErrorInvalidResourceHandle;
    *work = EventWork{event};
    return cudaSuccess;
}

cudaError_t make_allocation(const cudaMemAllocNodeParams& p, NodeWork* work) {
    AllocationWork allocation;
    const cudaError_t error = make(p, &allocation);
    if (error == cudaSuccess) *work = std::move(allocation);
    return error;
}

cudaError_t make_free(void* pointer, NodeWork* work) {
    if (!is_reserved(pointer)) {
        note_reason("A graph frees memory of nodes that allocate, and the pointer is none of theirs.");
        return cudaErrorInvalidValue;
    }
    *work = FreeWork{{}, pointer};
    return cudaSuccess;
}

cudaError_t make_conditional(cudaConditionalNodeParams& p, NodeWork* work) {
    const bool fits = p.type == cudaGraphCondTypeWhile ? p.size == 1
                      : p.type == cudaGraphCondTypeIf  ? p.size == 1 || p.size == 2
                                                       : p.type == cudaGraphCondTypeSwitch && p.size > 0;
    if (!fits || !is_condition(p.handle)) return cudaErrorInvalidValue;
    ConditionalWork conditional{p.handle, p.type, {}};
    for (unsigned i = 0; i < p.size; ++i) {
        conditional.bodies.push_back(std::make_shared<Graph>());
        conditional.handles.push_back(conditional.bodies.back().get());
    }
    *work = std::move(conditional);
    return cudaSuccess;
}

cudaError_t make(cudaGraphNodeParams* p, NodeWork* work) {
    if (p == nullptr) return cudaErrorInvalidValue;
    switch (p->type) {
        case cudaGraphNodeTypeKernel: {
            KernelWork kernel;
            const cudaError_t error = make(p->kernel, &kernel);
            if (error == cudaSuccess) *work = std::move(kernel);
            return error;
        }
        case cudaGraphNodeTypeMemcpy:
            return make(&p->memcpy.copyParams, work);
        case cudaGraphNodeTypeMemset:
            return make_fill(&p->memset, work);
        case cudaGraphNodeTypeHost:
            return make_host(&p->host, work);
        case cudaGraphNodeTypeGraph:
            return make_child(p->graph.graph, work);
        case cudaGraphNodeTypeEmpty:
            *work = NoWork{};
            return cudaSuccess;
        case cudaGraphNodeTypeWaitEvent:
            return make_event<WaitWork>(p->eventWait.event, work);
        case cudaGraphNodeTypeEventRecord:
            return make_event<RecordWork>(p->eventRecord.event, work);
        case cudaGraphNodeTypeMemAlloc:
            return make_allocation(p->alloc, work);
        case cudaGraphNodeTypeMemFree:
            return make_free(p->free.dptr, work);
        case cudaGraphNodeTypeConditional:
            return make_conditional(p->conditional, work);
        default:
            explain("not supported: nodes of type %d in a graph (external semaphores)", static_cast<int>(p->type));
            return cudaErrorNotSupported;
    }
}

// ------------------------------------------------------------------------------------------ what programs ask about

// The work of a live node, if it is of that type.
template <class Wanted>
Wanted* work_of(cudaGraphNode_t node) {
    return is_node(node) ? std::get_if<Wanted>(&node->work) : nullptr;
}

template <class Wanted, class Parameters>
cudaError_t parameters_of(cudaGraphNode_t node, Parameters* parameters) {
    const auto* const work = work_of<Wanted>(node);
    if (work == nullptr || parameters == nullptr) return cudaErrorInvalidValue;
    *parameters = work->parameters;
    return cudaSuccess;
}

template <class Wanted>
cudaError_t event_of(cudaGraphNode_t node, cudaEvent_t* event) {
    const auto* const work = work_of<Wanted>(node);
    if (work == nullptr || event == nullptr) return cudaErrorInvalidValue;
    *event = work->event;
    return cudaSuccess;
}

// As CUDA lists things: how many there are, or as many as there is room for, and nulls behind them.
template <class T>
cudaError_t list(const std::vector<T>& all, T* to, std::size_t* n) {
    if (n == nullptr) return cudaErrorInvalidValue;
    if (to == nullptr) {
        *n = all.size();
        return cudaSuccess;
    }
    const std::size_t listed = std::min(*n, all.size());
    std::copy_n(all.begin(), listed, to);
    std::fill(to + listed, to + *n, T{});
    *n = listed;
    return cudaSuccess;
}

cudaError_t list_neighbours(const std::vector<GraphNode*>& all, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges,
                            std::size_t* n) {
    const cudaError_t error = list(all, nodes, n);
    if (error == cudaSuccess && edges != nullptr && nodes != nullptr) std::fill_n(edges, *n, cudaGraphEdgeData{});
    return error;
}

// The edges of [from, to) pairs, all of which have to be of the graph.
template <class Each>
cudaError_t for_edges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                      const cudaGraphEdgeData* edges, std::size_t n, Each each) {
    if (!is_graph(graph) || (n > 0 && (from == nullptr || to == nullptr))) return cudaErrorInvalidValue;
    if (!are_ordinary(edges, n)) return cudaErrorNotSupported;
    for (std::size_t i = 0; i < n; ++i)
        if (!is_node(from[i]) || !is_node(to[i]) || from[i]->graph != graph || to[i]->graph != graph ||
            from[i] == to[i])
            return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < n; ++i)
        if (!each(from[i], to[i])) return cudaErrorInvalidValue;
    return cudaSuccess;
}

// ------------------------------------------------------------------------------------------------- executable graphs

// Whether all graphs, those inside too, have an order.
bool has_order(const Graph& graph) {
    if (!graph.in_order()) return false;
    return std::all_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
        if (const auto* const child = std::get_if<ChildWork>(&node->work)) return has_order(*child->graph);
        const auto* const conditional = std::get_if<ConditionalWork>(&node->work);
        return conditional == nullptr || std::all_of(conditional->bodies.begin(), conditional->bodies.end(),
                                                     [](const auto& body) { return has_order(*body); });
    });
}

cudaError_t instantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
    if (exec == nullptr || !is_graph(graph)) return cudaErrorInvalidValue;
    constexpr unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                                         cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
    if ((flags & ~known) != 0 || !has_order(*graph)) return cudaErrorInvalidValue;
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
        explain("not supported: graphs that a kernel launches (cudaGraphInstantiateFlagDeviceLaunch)");
        return cudaErrorNotSupported;
    }
    *exec = new GraphExec{graph->clone(), flags};
    owned().execs.insert(*exec);
    note_made(*exec, "executable graph");
    return cudaSuccess;
}

// What differs between an executable graph's graph and another one, and where.
cudaGraphExecUpdateResultInfo difference(const Graph& old, const Graph& changed) {
    const auto index_of = [](const Graph& graph, const GraphNode* node) {
        return std::find_if(graph.nodes.begin(), graph.nodes.end(),
                            [&](const auto& each) { return each.get() == node; }) -
               graph.nodes.begin();
    };
    const auto topology = [](GraphNode* node, GraphNode* from) {
        return cudaGraphExecUpdateResultInfo{cudaGraphExecUpdateErrorTopologyChanged, node, from};
    };
    if (old.nodes.size() != changed.nodes.size()) return topology(nullptr, nullptr);
    for (std::size_t i = 0; i < old.nodes.size(); ++i) {
        GraphNode &was = *old.nodes[i], &is = *changed.nodes[i];
        if (type_of(was.work) != type_of(is.work)) return {cudaGraphExecUpdateErrorNodeTypeChanged, &is, nullptr};
        if (was.before.size() != is.before.size()) return topology(&is, nullptr);
        for (std::size_t j = 0; j < was.before.size(); ++j)
            if (index_of(old, was.before[j]) != index_of(changed, is.before[j])) return topology(&is, is.before[j]);
        if (const auto* const child = std::get_if<ChildWork>(&was.work)) {
            const auto inside = difference(*child->graph, *std::get<ChildWork>(is.work).graph);
            if (inside.result != cudaGraphExecUpdateSuccess) return inside;
        }
        if (std::holds_alternative<ConditionalWork>(was.work)) {
            explain("not supported: cudaGraphExecUpdate() of a graph with conditional nodes");
            return {cudaGraphExecUpdateErrorNotSupported, &is, nullptr};
        }
    }
    return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

// Takes the work of a graph that is alike. Whether nodes are enabled stays, and so do their names.
void update(Graph& old, const Graph& changed) {
    for (std::size_t i = 0; i < old.nodes.size(); ++i) {
        NodeWork& was = old.nodes[i]->work;
        if (auto* const child = std::get_if<ChildWork>(&was))
            update(*child->graph, *std::get<ChildWork>(changed.nodes[i]->work).graph);
        else
            was = changed.nodes[i]->work;
    }
}

cudaError_t change_child(GraphNode* node, cudaGraph_t child) {
    auto* const work = node == nullptr ? nullptr : std::get_if<ChildWork>(&node->work);
    if (work == nullptr || !is_graph(child)) return cudaErrorInvalidValue;
    if (difference(*work->graph, *child).result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
    update(*work->graph, *child);
    return cudaSuccess;
}

// Whether it has a node of one of these kinds, those of graphs inside included.
bool has_node(const Graph& graph, std::initializer_list<cudaGraphNodeType> types) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
        if (std::find(types.begin(), types.end(), type_of(node->work)) != types.end()) return true;
        if (const auto* const child = std::get_if<ChildWork>(&node->work)) return has_node(*child->graph, types);
        const auto* const conditional = std::get_if<ConditionalWork>(&node->work);
        return conditional != nullptr && std::any_of(conditional->bodies.begin(), conditional->bodies.end(),
                                                     [&](const auto& body) { return has_node(*body, types); });
    });
}

void reset_conditions(const Graph& graph) {
    for (const auto& node : graph.nodes) {
        if (const auto* const child = std::get_if<ChildWork>(&node->work)) reset_conditions(*child->graph);
        if (const auto* const conditional = std::get_if<ConditionalWork>(&node->work)) {
            reset_condition(conditional->handle);
            for (const auto& body : conditional->bodies) reset_conditions(*body);
        }
    }
}

// What an earlier launch has allocated and nobody freed: it goes now, if the program has asked for that.
cudaError_t make_room(const Graph& graph, bool may_free, cudaStream_t stream) {
    for (const auto& node : graph.nodes) {
        if (const auto* const child = std::get_if<ChildWork>(&node->work))
            if (const cudaError_t error = make_room(*child->graph, may_free, stream)) return error;
        const auto* const allocation = std::get_if<AllocationWork>(&node->work);
        if (allocation == nullptr || allocated_at(allocation->parameters.dptr) == 0) continue;
        if (!may_free) {
            note_reason(
                "What the graph's last launch has allocated was not freed. A node, cudaFreeAsync() or cudaFree() does "
                "that, or each launch itself with cudaGraphInstantiateFlagAutoFreeOnLaunch.");
            return cudaErrorInvalidValue;
        }
        if (const cudaError_t error = run_free(allocation->parameters.dptr, stream)) return error;
    }
    return cudaSuccess;
}

cudaError_t run_from_the_start(const Graph& graph, cudaStream_t stream) {
    reset_conditions(graph);
    trace_graph(graph);
    return run(graph, stream);
}

// "Each launch is ordered behind both any previous work in hStream and any previous launches of hGraphExec" (CUDA
// Runtime API): as if each launch waited for an event, and recorded it.
cudaError_t run_behind_last_launch(cudaGraphExec_t exec, const Graph& graph, cudaStream_t stream) {
    const auto last_launch = reinterpret_cast<cudaEvent_t>(exec);
    order_stream_waits(stream, last_launch);
    const bool may_free = (exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
    if (const cudaError_t error = make_room(graph, may_free, stream)) return error;
    const cudaError_t error = run_from_the_start(graph, stream);
    order_recorded(last_launch, stream);
    return error;
}

// What is queued is a copy: the program may change the executable graph as soon as the launch has returned.
cudaError_t queue(const Graph& graph, cudaStream_t stream) {
    std::shared_ptr<Graph> copy;
    {
        const std::lock_guard lock(graphs_mutex());
        copy = graph.clone();
    }
    queue_work(stream, {.run = [=] { return run_from_the_start(*copy, stream); },
                        .is_hosts = has_node(*copy, {cudaGraphNodeTypeHost}),
                        .one_at_a_time = &graph});
    return cudaSuccess;
}

// ------------------------------------------------------------------------------------------------------ as a picture

std::string label(const GraphNode& node) {
    static constexpr const char* names[] = {"KERNEL", "MEMCPY", "MEMSET", "HOST", "GRAPH", "EMPTY", "WAIT", "RECORD"};
    const auto type = static_cast<std::size_t>(type_of(node.work));
    const std::string name = type < std::size(names)             ? names[type]
                             : type == cudaGraphNodeTypeMemAlloc ? "MEM_ALLOC"
                             : type == cudaGraphNodeTypeMemFree  ? "MEM_FREE"
                                                                 : "CONDITIONAL";
    const auto* const kernel = std::get_if<KernelWork>(&node.work);
    std::string text = kernel == nullptr ? name : name + "\n" + kernel->launch.kernel;
    for (std::size_t at = 0; (at = text.find_first_of("\"\\", at)) != std::string::npos; at += 2) text.insert(at, "\\");
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "\\n");
    return text;
}

void draw(std::ostream& out, const Graph& graph) {
    const std::string name = "graph_" + std::to_string(graph.id);
    out << "subgraph cluster_" << graph.id << " {\nlabel=\"" << name << "\" graph[style=\"dashed\"];\n";
    std::map<const GraphNode*, std::string> names;
    for (const auto& node : graph.nodes) {
        const std::string own = name + "_node_" + std::to_string(names.size());
        names[node.get()] = own;
        out << "\"" << own << "\"[shape=\"box\" label=\"" << names.size() - 1 << "\\n" << label(*node) << "\"];\n";
        if (const auto* const child = std::get_if<ChildWork>(&node->work)) draw(out, *child->graph);
        if (const auto* const conditional = std::get_if<ConditionalWork>(&node->work))
            for (const auto& body : conditional->bodies) draw(out, *body);
    }
    for (const auto& node : graph.nodes)
        for (const GraphNode* each : node->after)
            out << "\"" << names[node.get()] << "\" -> \"" << names[each] << "\";\n";
    out << "}\n";
}

}  // namespace

void keep_arguments(const AnyKernel& kernel, void** arguments, KernelWork* work) {
    work->function = kernel;
    work->arguments.clear();
    work->pointers.clear();
    for (std::size_t i = 0; i < kernel.parameters(); ++i) {
        work->arguments.push_back(copy_of(arguments[i], kernel.size(i)));
        work->pointers.push_back(work->arguments.back().get());
    }
}

cudaGraph_t give_to_program(std::shared_ptr<Graph> graph) {
    Graph* const handle = graph.get();
    owned().graphs.emplace(handle, std::move(graph));
    note_made(handle, "graph");
    return handle;
}

}  // namespace emulator

using namespace emulator;

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
    return graph_call([&] {
        if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
        *graph = give_to_program(std::make_shared<Graph>());
        return cudaSuccess;
    });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return graph_call([&] {
        if (owned().graphs.erase(graph) == 0) return cudaErrorInvalidValue;
        note_destroyed(graph);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
    return graph_call([&] {
        if (clone == nullptr || !is_graph(graph)) return cudaErrorInvalidValue;
        *clone = give_to_program(graph->clone());
        return cudaSuccess;
    });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
    return graph_call([&] {
        if (node == nullptr || !is_graph(clone)) return cudaErrorInvalidValue;
        const auto found = clone->copies.find(original);
        if (found == clone->copies.end()) return cudaErrorInvalidValue;
        *node = found->second;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
    return graph_call([&] {
        if (!is_graph(graph) || path == nullptr) return cudaErrorInvalidValue;
        std::ofstream out(path);
        out << "digraph dot {\n";
        draw(out, *graph);
        out << "}\n";
        return out.flush() ? cudaSuccess : cudaErrorOperatingSystem;
    });
}

// ------------------------------------------------------------------------------------------------------- adding nodes

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   std::size_t n, const cudaKernelNodeParams* p) {
    return add_node(node, graph, dependencies, n, [&](NodeWork* work) { return make(p, work); });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   std::size_t n, const cudaMemcpy3DParms* p) {
    return add_node(node, graph, dependencies, n, [&](NodeWork* work) { return make(p, work); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     std::size_t n, void* to, const void* from, std::size_t bytes,
                                     cudaMemcpyKind kind) {
    return add_node(node, graph, dependencies, n,
                    [&](NodeWork* work) { return make_line(to, from, bytes, kind, work); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   std::size_t n, const cudaMemsetParams* p) {
    return add_node(node, graph, dependencies, n, [&](NodeWork* work) { return make_fill(p, work); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                 std::size_t n, const cudaHostNodeParams* p) {
    return add_node(node, graph, dependencies, n, [&](NodeWork* work) { return make_host(p, work); });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       std::size_t n, cudaGraph_t child) {
    return add_node(node, graph, dependencies, n, [&](NodeWork* work) { return make_child(child, work); });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                  std::size_t n) {
    return add_node(node, graph, dependencies, n, [](NodeWork*) { return cudaSuccess; });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                        std::size_t n, cudaEvent_t event) {
    return add_node(node, graph, dependencies, n, [&](NodeWork* work) { return make_event<RecordWork>(event, work); });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                      std::size_t n, cudaEvent_t event) {
    return add_node(node, graph, dependencies, n, [&](NodeWork* work) { return make_event<WaitWork>(event, work); });
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     std::size_t n, cudaMemAllocNodeParams* p) {
    return graph_call([&] {
        const cudaError_t error = add(node, graph, dependencies, n, [&](NodeWork* work) {
            return p == nullptr ? cudaErrorInvalidValue : make_allocation(*p, work);
        });
        if (error == cudaSuccess) p->dptr = std::get<AllocationWork>((*node)->work).parameters.dptr;
        return error;
    });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                    std::size_t n, void* pointer) {
    return add_node(node, graph, dependencies, n, [&](NodeWork* work) { return make_free(pointer, work); });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData* edges, std::size_t n, cudaGraphNodeParams* p) {
    return graph_call([&] {
        if (!are_ordinary(edges, n)) return cudaErrorNotSupported;
        const cudaError_t error = add(node, graph, dependencies, n, [&](NodeWork* work) { return make(p, work); });
        if (error == cudaSuccess && p->type == cudaGraphNodeTypeMemAlloc)
            p->alloc.dptr = std::get<AllocationWork>((*node)->work).parameters.dptr;
        if (error == cudaSuccess && p->type == cudaGraphNodeTypeConditional)
            p->conditional.phGraph_out = std::get<ConditionalWork>((*node)->work).handles.data();
        return error;
    });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    return graph_call([&] {
        if (!is_node(node)) return cudaErrorInvalidValue;
        node->graph->remove(node);
        return cudaSuccess;
    });
}

// -------------------------------------------------------------------------------------------------- nodes' parameters

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* p) {
    return graph_call([&] {
        auto* const work = work_of<KernelWork>(node);
        if (work == nullptr || p == nullptr) return cudaErrorInvalidValue;
        if (!work->function) {
            explain("not supported: cudaGraphKernelNodeGetParams() of a kernel that was captured from <<<>>>");
            return cudaErrorNotSupported;
        }
        const RecordedLaunch& launch = work->launch;
        *p = {const_cast<void*>(work->function->address()), launch.grid,           launch.block,
              static_cast<unsigned>(launch.shared_bytes),   work->pointers.data(), nullptr};
        return cudaSuccess;
    });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* p) {
    return change_node(node, cudaGraphNodeTypeKernel, [&](NodeWork* work) { return make(p, work); });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* p) {
    return graph_call([&] { return parameters_of<CopyWork>(node, p); });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* p) {
    return change_node(node, cudaGraphNodeTypeMemcpy, [&](NodeWork* work) { return make(p, work); });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, std::size_t bytes,
                                           cudaMemcpyKind kind) {
    return change_node(node, cudaGraphNodeTypeMemcpy,
                       [&](NodeWork* work) { return make_line(to, from, bytes, kind, work); });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* p) {
    return graph_call([&] { return parameters_of<FillWork>(node, p); });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* p) {
    return change_node(node, cudaGraphNodeTypeMemset, [&](NodeWork* work) { return make_fill(p, work); });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* p) {
    return graph_call([&] { return parameters_of<HostWork>(node, p); });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* p) {
    return change_node(node, cudaGraphNodeTypeHost, [&](NodeWork* work) { return make_host(p, work); });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
    return graph_call([&] {
        const auto* const work = work_of<ChildWork>(node);
        if (work == nullptr || graph == nullptr) return cudaErrorInvalidValue;
        *graph = work->graph.get();
        return cudaSuccess;
    });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
    return graph_call([&] { return event_of<RecordWork>(node, event); });
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return change_node(node, cudaGraphNodeTypeEventRecord,
                       [&](NodeWork* work) { return make_event<RecordWork>(event, work); });
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
    return graph_call([&] { return event_of<WaitWork>(node, event); });
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return change_node(node, cudaGraphNodeTypeWaitEvent,
                       [&](NodeWork* work) { return make_event<WaitWork>(event, work); });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* p) {
    return graph_call([&] {
        const auto* const work = work_of<AllocationWork>(node);
        if (work == nullptr || p == nullptr) return cudaErrorInvalidValue;
        *p = work->parameters;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
    return graph_call([&] {
        const auto* const work = work_of<FreeWork>(node);
        if (work == nullptr || pointer == nullptr) return cudaErrorInvalidValue;
        *static_cast<void**>(pointer) = work->pointer;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* p) {
    return graph_call([&] {
        if (p == nullptr || p->type == cudaGraphNodeTypeConditional) return cudaErrorInvalidValue;
        return change(live(node), p->type, [&](NodeWork* work) { return make(p, work); });
    });
}

// ------------------------------------------------------------------------------------------------------ nodes and
// edges

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* n) {
    return graph_call([&] {
        if (!is_graph(graph)) return cudaErrorInvalidValue;
        std::vector<GraphNode*> all;
        for (const auto& node : graph->nodes) all.push_back(node.get());
        return list(all, nodes, n);
    });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* n) {
    return graph_call([&] {
        if (!is_graph(graph)) return cudaErrorInvalidValue;
        std::vector<GraphNode*> roots;
        for (const auto& node : graph->nodes)
            if (node->before.empty()) roots.push_back(node.get());
        return list(roots, nodes, n);
    });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                              std::size_t* n) {
    return graph_call([&] {
        if (!is_graph(graph) || n == nullptr || (from == nullptr) != (to == nullptr)) return cudaErrorInvalidValue;
        std::vector<GraphNode*> begins, ends;
        for (const auto& node : graph->nodes)
            for (GraphNode* each : node->after) {
                begins.push_back(node.get());
                ends.push_back(each);
            }
        std::size_t room = *n;
        const cudaError_t error = list(begins, from, &room);
        list(ends, to, n);
        if (edges != nullptr && from != nullptr) std::fill_n(edges, *n, cudaGraphEdgeData{});
        return error;
    });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    return graph_call([&] {
        if (!is_node(node) || type == nullptr) return cudaErrorInvalidValue;
        *type = type_of(node->work);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges,
                                         std::size_t* n) {
    return graph_call(
        [&] { return is_node(node) ? list_neighbours(node->before, nodes, edges, n) : cudaErrorInvalidValue; });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges,
                                           std::size_t* n) {
    return graph_call(
        [&] { return is_node(node) ? list_neighbours(node->after, nodes, edges, n) : cudaErrorInvalidValue; });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData* edges, std::size_t n) {
    return graph_call([&] { return for_edges(graph, from, to, edges, n, add_edge); });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* edges, std::size_t n) {
    return graph_call([&] {
        return for_edges(graph, from, to, edges, n, [](GraphNode* begin, GraphNode* end) {
            return std::erase(begin->after, end) > 0 && std::erase(end->before, begin) > 0;
        });
    });
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned default_value, unsigned flags) {
    return graph_call([&] {
        if (handle == nullptr || !is_graph(graph) || (flags & ~unsigned{cudaGraphCondAssignDefault}) != 0)
            return cudaErrorInvalidValue;
        *handle = make_condition(default_value, flags);
        return cudaSuccess;
    });
}

// -------------------------------------------------------------------------------------------------- executable graphs

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
    return graph_call([&] { return instantiate(exec, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
    return graph_call([&] { return instantiate(exec, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphInstantiateParams* p) {
    return graph_call([&] {
        if (p == nullptr) return cudaErrorInvalidValue;
        const cudaError_t error = instantiate(exec, graph, p->flags);
        p->errNode_out = nullptr;
        p->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
        return error;
    });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    return graph_call([&] {
        if (owned().execs.erase(exec) == 0) return cudaErrorInvalidValue;
        note_destroyed(exec);
        order_event_destroyed(reinterpret_cast<cudaEvent_t>(exec));
        delete exec;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
    return graph_call([&] {
        if (!is_exec(exec) || flags == nullptr) return cudaErrorInvalidValue;
        *flags = exec->flags;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
    return graph_call([&] {
        if (!is_exec(exec)) return cudaErrorInvalidValue;
        return is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    return api([&] {
        std::shared_ptr<Graph> graph;
        {
            const std::lock_guard lock(graphs_mutex());
            if (!is_exec(exec)) return cudaErrorInvalidValue;
            graph = exec->graph;
        }
        if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
        if (may_capture())
            if (const auto refused = refuse_in_capture(stream, cudaErrorStreamCaptureUnsupported)) return *refused;
        if (streams_queue() && !has_node(*graph, {cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent,
                                                  cudaGraphNodeTypeMemAlloc, cudaGraphNodeTypeMemFree}))
            return queue(*graph, stream);
        finish_all();  // Others may wait for the events, or use the memory.
        return run_behind_last_launch(exec, *graph, stream);
    });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result) {
    return graph_call([&] {
        if (!is_exec(exec) || !is_graph(graph) || result == nullptr) return cudaErrorInvalidValue;
        *result = difference(*exec->graph, *graph);
        if (result->result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
        update(*exec->graph, *graph->clone());
        return cudaSuccess;
    });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* p) {
    return change_exec(exec, node, cudaGraphNodeTypeKernel, [&](NodeWork* work) { return make(p, work); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaMemcpy3DParms* p) {
    return change_exec(exec, node, cudaGraphNodeTypeMemcpy, [&](NodeWork* work) { return make(p, work); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to, const void* from,
                                               std::size_t bytes, cudaMemcpyKind kind) {
    return change_exec(exec, node, cudaGraphNodeTypeMemcpy,
                       [&](NodeWork* work) { return make_line(to, from, bytes, kind, work); });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaMemsetParams* p) {
    return change_exec(exec, node, cudaGraphNodeTypeMemset, [&](NodeWork* work) { return make_fill(p, work); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaHostNodeParams* p) {
    return change_exec(exec, node, cudaGraphNodeTypeHost, [&](NodeWork* work) { return make_host(p, work); });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
    return graph_call([&] { return change_child(node_of(exec, node), child); });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
    return change_exec(exec, node, cudaGraphNodeTypeEventRecord,
                       [&](NodeWork* work) { return make_event<RecordWork>(event, work); });
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
    return change_exec(exec, node, cudaGraphNodeTypeWaitEvent,
                       [&](NodeWork* work) { return make_event<WaitWork>(event, work); });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams* p) {
    return graph_call([&] {
        if (p == nullptr || p->type == cudaGraphNodeTypeConditional) return cudaErrorInvalidValue;
        if (p->type == cudaGraphNodeTypeGraph) return change_child(node_of(exec, node), p->graph.graph);
        return change(node_of(exec, node), p->type, [&](NodeWork* work) { return make(p, work); });
    });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
    return graph_call([&] {
        GraphNode* const own = node_of(exec, node);
        if (own == nullptr || type_of(own->work) > cudaGraphNodeTypeMemset) return cudaErrorInvalidValue;
        own->enabled = enabled != 0;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
    return graph_call([&] {
        const GraphNode* const own = node_of(exec, node);
        if (own == nullptr || enabled == nullptr || type_of(own->work) > cudaGraphNodeTypeMemset)
            return cudaErrorInvalidValue;
        *enabled = own->enabled ? 1 : 0;
        return cudaSuccess;
    });
}
