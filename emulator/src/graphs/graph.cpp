// Graphs as such: nodes, their order, copies of them, and doing what they say.

#include "graph.h"

#include <algorithm>
#include <atomic>
#include <random>

#include "../checked/host/stream_order.h"
#include "../engine/watched_worker.h"
#include "../reports/error_state.h"
#include "../runtime_api/api.h"
#include "../settings.h"
#include "conditions.h"

namespace emulator {
namespace {

// Of all graphs, those inside nodes included.
std::set<const Graph*>& graphs() {
    static auto& all = *new std::set<const Graph*>;
    return all;
}

std::set<const GraphNode*>& live_nodes() {
    static auto& all = *new std::set<const GraphNode*>;
    return all;
}

unsigned long long next_id() {
    static std::atomic<unsigned long long> last = 0;
    return ++last;
}

NodeWork clone_of(const NodeWork& work, std::map<const GraphNode*, GraphNode*>& copies) {
    NodeWork clone = work;
    const auto copy = [&](std::shared_ptr<Graph>& inner) {
        inner = inner->clone();
        copies.insert(inner->copies.begin(), inner->copies.end());
    };
    if (auto* const child = std::get_if<ChildWork>(&clone)) copy(child->graph);
    if (auto* const conditional = std::get_if<ConditionalWork>(&clone)) {
        conditional->handles.clear();
        for (auto& body : conditional->bodies) {
            copy(body);
            conditional->handles.push_back(body.get());
        }
    }
    if (auto* const kernel = std::get_if<KernelWork>(&clone)) {
        for (std::size_t i = 0; i < kernel->arguments.size(); ++i) {
            kernel->arguments[i] = copy_of(kernel->arguments[i].get(), kernel->function->size(i));
            kernel->pointers[i] = kernel->arguments[i].get();
        }
    }
    return clone;
}

// A loop ends by what its kernels do: not at all, if one has failed, since then none runs any more.
cudaError_t is_over(long long begin, cudaStream_t stream) {
    if (const cudaError_t error = sticky_error()) return error;
    if (!is_overdue_since(begin)) return cudaSuccess;
    explain(
        "a graph's conditional node that repeats its body has not ended after the %g seconds of %s. Some kernel of "
        "the body must call cudaGraphSetConditional() with 0.",
        value_of<settings::timeout>(), settings::timeout.name);
    set_kernel_error(cudaErrorLaunchTimeout, device_of_stream(stream));
    return cudaErrorLaunchTimeout;
}

cudaError_t run(const ConditionalWork& work, cudaStream_t stream) {
    const auto value = [&] { return condition(work.handle); };
    const auto run_body = [&](std::size_t i) {
        return i < work.bodies.size() ? run(*work.bodies[i], stream) : cudaSuccess;
    };
    switch (work.kind) {
        case cudaGraphCondTypeIf:
            return run_body(value() != 0 ? 0 : 1);
        case cudaGraphCondTypeWhile:
            for (const long long begin = begin_of_limit(); value() != 0;) {
                if (const cudaError_t error = run_body(0)) return error;
                if (const cudaError_t error = is_over(begin, stream)) return error;
            }
            return cudaSuccess;
        case cudaGraphCondTypeSwitch:
            return run_body(value());
    }
    return cudaErrorInvalidValue;
}

cudaError_t run(const NodeWork& work, cudaStream_t stream) {
    return std::visit(
        [&](const auto& each) {
            using Each = std::decay_t<decltype(each)>;
            if constexpr (std::is_same_v<Each, KernelWork>)
                run_recorded(each.launch, stream);
            else if constexpr (std::is_same_v<Each, CopyWork>)
                return run_copy(each.parameters, each.is_line, stream);
            else if constexpr (std::is_same_v<Each, FillWork>)
                return run_fill(each.parameters, stream);
            else if constexpr (std::is_same_v<Each, HostWork>)
                run_host_function(each.parameters.fn, each.parameters.userData, stream);
            else if constexpr (std::is_same_v<Each, ChildWork>)
                return run(*each.graph, stream);
            else if constexpr (std::is_same_v<Each, RecordWork>)
                return run_recording(each.event, stream);
            else if constexpr (std::is_same_v<Each, WaitWork>)
                return run_waiting(stream, each.event);
            else if constexpr (std::is_same_v<Each, AllocationWork>)
                return run_allocation(each, stream);
            else if constexpr (std::is_same_v<Each, FreeWork>)
                return run_free(each.pointer, stream);
            else if constexpr (std::is_same_v<Each, ConditionalWork>)
                return run(each, stream);
            return cudaSuccess;
        },
        work);
}

}  // namespace

std::recursive_mutex& graphs_mutex() {
    static auto& mutex = *new std::recursive_mutex;
    return mutex;
}

cudaGraphNodeType type_of(const NodeWork& work) {
    return std::visit([](const auto& each) { return each.type; }, work);
}

CopyWork copy_of_line(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    cudaMemcpy3DParms p{};
    p.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
    p.dstPtr = {to, bytes, bytes, 1};
    p.extent = {bytes, 1, 1};
    p.kind = kind;
    return {p, true};
}

Graph::Graph() : id(next_id()) {
    const std::lock_guard lock(graphs_mutex());
    graphs().insert(this);
}

Graph::~Graph() {
    const std::lock_guard lock(graphs_mutex());
    graphs().erase(this);
    for (const auto& node : nodes) live_nodes().erase(node.get());
}

bool is_graph(const Graph* graph) {
    return graphs().count(graph) > 0;
}

bool is_node(const GraphNode* node) {
    return live_nodes().count(node) > 0;
}

bool add_edge(GraphNode* from, GraphNode* to) {
    if (std::find(from->after.begin(), from->after.end(), to) != from->after.end()) return false;
    from->after.push_back(to);
    to->before.push_back(from);
    return true;
}

GraphNode* Graph::add(NodeWork work, const std::vector<GraphNode*>& before) {
    nodes.push_back(std::make_unique<GraphNode>(GraphNode{std::move(work), this}));
    GraphNode* const node = nodes.back().get();
    live_nodes().insert(node);
    for (GraphNode* each : before) add_edge(each, node);
    return node;
}

void Graph::remove(GraphNode* node) {
    for (GraphNode* each : node->before) std::erase(each->after, node);
    for (GraphNode* each : node->after) std::erase(each->before, node);
    live_nodes().erase(node);
    std::erase_if(nodes, [&](const auto& each) { return each.get() == node; });
}

std::shared_ptr<Graph> Graph::clone() const {
    auto clone = std::make_shared<Graph>();
    for (const auto& node : nodes) {
        GraphNode* const copy = clone->add(clone_of(node->work, clone->copies), {});
        copy->enabled = node->enabled;
        clone->copies[node.get()] = copy;
    }
    for (const auto& node : nodes)
        for (const GraphNode* each : node->before) add_edge(clone->copies[each], clone->copies[node.get()]);
    return clone;
}

std::optional<std::vector<GraphNode*>> Graph::in_order(const Choice& choose) const {
    std::map<const GraphNode*, std::size_t> missing;
    std::vector<GraphNode*> order;
    for (const auto& node : nodes)
        if ((missing[node.get()] = node->before.size()) == 0) order.push_back(node.get());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (choose) std::swap(order[i], order[i + choose(order.size() - i)]);
        for (GraphNode* each : order[i]->after)
            if (--missing[each] == 0) order.push_back(each);
    }
    if (order.size() < nodes.size()) return std::nullopt;
    return order;
}

// With EMULATOR_SHUFFLE the nodes run in another order each time, one that the edges allow.
cudaError_t run(const Graph& graph, cudaStream_t stream) {
    static std::mutex mutex;
    static const std::optional<std::uint64_t> shuffle = value_of<settings::shuffle>().number;
    static std::seed_seq seed{shuffle.value_or(0)};
    static std::minstd_rand generator(seed);
    const auto choose = [](std::size_t n) {
        const std::lock_guard lock(mutex);
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(generator);
    };
    const auto order = graph.in_order(shuffle ? choose : Graph::Choice());
    GraphBranches branches(stream);
    for (const GraphNode* node : order.value_or(std::vector<GraphNode*>())) {
        if (sticky_error() != cudaSuccess) return cudaSuccess;  // The call that waits meets it.
        branches.begins({node->before.begin(), node->before.end()});
        if (const cudaError_t error = node->enabled ? run(node->work, stream) : cudaSuccess) return error;
        branches.ends(node);
    }
    return cudaSuccess;
}

}  // namespace emulator
