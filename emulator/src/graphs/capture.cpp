#include "capture.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "../memory/devices.h"
#include "../runtime_api/api.h"

namespace emulator {
namespace {

struct Capture {
    unsigned long long id;
    cudaStreamCaptureMode mode;
    std::thread::id thread;
    cudaStream_t stream;  // where it began
    std::shared_ptr<Graph> graph;
    bool is_programs_graph = false;  // cudaStreamBeginCaptureToGraph
    bool is_valid = true;
};

// What comes next depends on these nodes.
struct CapturedStream {
    Capture* capture;
    std::vector<GraphNode*> last;
};
struct CapturedEvent {
    unsigned long long capture;  // its id: the capture may have ended
    std::vector<GraphNode*> nodes;
};

struct Captures {
    std::vector<std::unique_ptr<Capture>> active;
    std::map<cudaStream_t, CapturedStream> streams;
    std::map<cudaEvent_t, CapturedEvent> events;
    unsigned long long last_id = 0;
};

Captures& captures() {
    static auto& all = *new Captures;
    return all;
}

std::atomic<unsigned> active_captures = 0;  // so that calls without any cost nothing
std::atomic<unsigned> captured_events = 0;
thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

template <class T>
void store(T* to, T value) {
    if (to != nullptr) *to = value;
}

bool is_legacy(cudaStream_t stream) {
    return stream_meant(stream) == nullptr;
}

CapturedStream* captured(cudaStream_t stream) {
    const auto found = captures().streams.find(stream_meant(stream));
    return found == captures().streams.end() ? nullptr : &found->second;
}

Capture* capture_with(unsigned long long id) {
    for (const auto& each : captures().active)
        if (each->id == id) return each.get();
    return nullptr;
}

void add_new(std::vector<GraphNode*>& nodes, const std::vector<GraphNode*>& more) {
    for (GraphNode* each : more)
        if (std::find(nodes.begin(), nodes.end(), each) == nodes.end()) nodes.push_back(each);
}

// The legacy stream waits for all blocking streams of its device: it cannot while one of them captures.
bool legacy_waits_for(cudaStream_t stream) {
    return is_blocking(stream) && device_of_stream(stream) == current_device();
}

std::optional<cudaError_t> refuse_legacy() {
    bool refused = false;
    for (const auto& [stream, state] : captures().streams)
        if (legacy_waits_for(stream)) {
            state.capture->is_valid = false;
            refused = true;
        }
    if (!refused) return std::nullopt;
    return cudaErrorStreamCaptureImplicit;
}

cudaError_t invalidate(Capture* capture, cudaError_t error) {
    capture->is_valid = false;
    return error;
}

void end(const Capture* capture) {
    std::erase_if(captures().streams, [&](const auto& each) { return each.second.capture == capture; });
    std::erase_if(captures().active, [&](const auto& each) { return each.get() == capture; });
    active_captures = static_cast<unsigned>(captures().active.size());
}

// Whether all that other streams have captured comes before what the first stream has.
bool is_joined(const Capture& capture) {
    std::set<const GraphNode*> joined;
    std::vector<const GraphNode*> waiting;
    const auto reach = [&](const std::vector<GraphNode*>& nodes) {
        for (const GraphNode* each : nodes)
            if (joined.insert(each).second) waiting.push_back(each);
    };
    reach(captured(capture.stream)->last);
    while (!waiting.empty()) {
        const GraphNode* node = waiting.back();
        waiting.pop_back();
        reach(node->before);
    }
    for (const auto& [stream, state] : captures().streams)
        if (state.capture == &capture)
            for (const GraphNode* each : state.last)
                if (joined.count(each) == 0) return false;
    return true;
}

cudaError_t begin(cudaStream_t stream, cudaStreamCaptureMode mode, std::shared_ptr<Graph> graph, bool is_programs_graph,
                  const std::vector<GraphNode*>& before) {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
    if (is_legacy(stream)) return cudaErrorStreamCaptureUnsupported;
    if (captured(stream) != nullptr) return cudaErrorIllegalState;
    Captures& all = captures();
    all.active.push_back(std::make_unique<Capture>(
        Capture{++all.last_id, mode, std::this_thread::get_id(), stream, std::move(graph), is_programs_graph}));
    all.streams[stream_meant(stream)] = {all.active.back().get(), before};
    active_captures = static_cast<unsigned>(all.active.size());
    return cudaSuccess;
}

cudaError_t end(cudaStream_t stream, cudaGraph_t* graph) {
    store<cudaGraph_t>(graph, nullptr);
    const CapturedStream* const state = captured(stream);
    if (state == nullptr) return cudaErrorIllegalState;
    Capture* const capture = state->capture;
    if (graph == nullptr && !capture->is_programs_graph) return cudaErrorInvalidValue;
    if (stream_meant(capture->stream) != stream_meant(stream))
        return invalidate(capture, cudaErrorStreamCaptureUnmatched);
    if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id())
        return invalidate(capture, cudaErrorStreamCaptureWrongThread);
    const bool joined = is_joined(*capture), valid = capture->is_valid;
    const std::shared_ptr<Graph> captured_graph = capture->graph;
    const bool is_programs_graph = capture->is_programs_graph;
    end(capture);
    if (!valid) return cudaErrorStreamCaptureInvalidated;
    if (!joined) return cudaErrorStreamCaptureUnjoined;
    store(graph, is_programs_graph ? captured_graph.get() : give_to_program(captured_graph));
    return cudaSuccess;
}

bool is_one_of(const char* call, std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return std::strcmp(call, name) == 0; });
}

// CUDA's "potentially unsafe" calls: they may wait for the device, or for all that was given to it.
bool is_unsafe(const char* call) {
    return is_one_of(call, {"cudaMalloc", "cudaMallocHost", "cudaHostAlloc", "cudaMallocManaged", "cudaMallocPitch",
                            "cudaMalloc3D", "cudaFree", "cudaFreeHost", "cudaHostRegister", "cudaHostUnregister",
                            "cudaEventQuery", "cudaEventSynchronize", "cudaStreamQuery", "cudaStreamSynchronize"});
}

bool uses_default_stream(const char* call) {
    return is_one_of(call, {"cudaMemcpy", "cudaMemcpy2D", "cudaMemcpy3D", "cudaMemcpyPeer", "cudaMemset",
                            "cudaMemset2D", "cudaMemset3D", "cudaMemcpyToSymbol", "cudaMemcpyFromSymbol"});
}

// Whether that capture refuses unsafe calls of the calling thread.
bool refuses(const Capture& capture) {
    if (thread_mode == cudaStreamCaptureModeRelaxed || capture.mode == cudaStreamCaptureModeRelaxed) return false;
    if (capture.thread == std::this_thread::get_id()) return true;
    return thread_mode == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal;
}

template <class Call>
cudaError_t capture_api(Call call, const char* name = __builtin_FUNCTION()) {
    return api(
        [&] {
            const std::lock_guard lock(graphs_mutex());
            return call();
        },
        name);
}

}  // namespace

cudaError_t check_captures(const char* call) {
    if (active_captures == 0) return cudaSuccess;
    const std::lock_guard lock(graphs_mutex());
    if (uses_default_stream(call)) {
        if (is_legacy(nullptr)) return refuse_legacy().value_or(cudaSuccess);
        const CapturedStream* const state = captured(nullptr);
        return state == nullptr ? cudaSuccess : invalidate(state->capture, cudaErrorStreamCaptureUnsupported);
    }
    const bool waits_for_all = std::strcmp(call, "cudaDeviceSynchronize") == 0;
    if (!waits_for_all && !is_unsafe(call)) return cudaSuccess;
    cudaError_t error = cudaSuccess;
    for (const auto& each : captures().active)
        if (waits_for_all || refuses(*each)) error = invalidate(each.get(), cudaErrorStreamCaptureUnsupported);
    return error;
}

std::optional<cudaError_t> capture(cudaStream_t stream, NodeWork work) {
    if (active_captures == 0) return std::nullopt;
    const std::lock_guard lock(graphs_mutex());
    if (is_legacy(stream)) return refuse_legacy();
    CapturedStream* const state = captured(stream);
    if (state == nullptr) return std::nullopt;
    if (!state->capture->is_valid) return cudaErrorStreamCaptureInvalidated;
    state->last = {state->capture->graph->add(std::move(work), state->last)};
    return cudaSuccess;
}

bool may_capture() {
    return active_captures != 0;
}

void keep_captured_arguments(cudaStream_t stream, const AnyKernel& kernel, void** arguments) {
    if (active_captures == 0) return;
    const std::lock_guard lock(graphs_mutex());
    const CapturedStream* const state = captured(stream);
    if (state == nullptr || state->last.empty()) return;
    if (auto* const work = std::get_if<KernelWork>(&state->last.front()->work)) keep_arguments(kernel, arguments, work);
}

std::optional<cudaError_t> refuse_in_capture(cudaStream_t stream, cudaError_t error) {
    if (active_captures == 0) return std::nullopt;
    const std::lock_guard lock(graphs_mutex());
    if (is_legacy(stream)) return refuse_legacy();
    const CapturedStream* const state = captured(stream);
    if (state == nullptr) return std::nullopt;
    return invalidate(state->capture, error);
}

std::optional<cudaError_t> capture_recording(cudaEvent_t event, cudaStream_t stream, bool external) {
    if (active_captures == 0 && captured_events == 0) return std::nullopt;
    const std::lock_guard lock(graphs_mutex());
    if (is_legacy(stream))
        if (const auto refused = refuse_legacy()) return refused;
    const CapturedStream* const state = captured(stream);
    if (state == nullptr) {
        forget_captured(event);
        return std::nullopt;
    }
    if (external) return capture(stream, RecordWork{event});
    if (!state->capture->is_valid) return cudaErrorStreamCaptureInvalidated;
    captures().events[event] = {state->capture->id, state->last};
    captured_events = static_cast<unsigned>(captures().events.size());
    return cudaSuccess;
}

std::optional<cudaError_t> capture_waiting(cudaStream_t stream, cudaEvent_t event, bool external) {
    if (active_captures == 0 && captured_events == 0) return std::nullopt;
    const std::lock_guard lock(graphs_mutex());
    if (external) return capture(stream, WaitWork{event});
    const auto recorded = captures().events.find(event);
    CapturedStream* const state = captured(stream);
    if (recorded == captures().events.end()) {
        if (state == nullptr) return is_legacy(stream) ? refuse_legacy() : std::nullopt;
        return invalidate(state->capture, cudaErrorStreamCaptureIsolation);
    }
    Capture* const of_event = capture_with(recorded->second.capture);
    if (of_event == nullptr) {
        if (state == nullptr) return cudaErrorCapturedEvent;
        return invalidate(state->capture, cudaErrorStreamCaptureIsolation);
    }
    if (state != nullptr && state->capture != of_event) {
        invalidate(of_event, cudaErrorStreamCaptureMerge);
        return invalidate(state->capture, cudaErrorStreamCaptureMerge);
    }
    if (!of_event->is_valid) return cudaErrorStreamCaptureInvalidated;
    if (is_legacy(stream)) return invalidate(of_event, cudaErrorStreamCaptureImplicit);
    if (state == nullptr)
        captures().streams[stream_meant(stream)] = {of_event, recorded->second.nodes};
    else
        add_new(state->last, recorded->second.nodes);
    return cudaSuccess;
}

cudaError_t check_not_captured(cudaEvent_t event) {
    if (captured_events == 0) return cudaSuccess;
    const std::lock_guard lock(graphs_mutex());
    const auto recorded = captures().events.find(event);
    if (recorded == captures().events.end()) return cudaSuccess;
    if (Capture* const its = capture_with(recorded->second.capture)) its->is_valid = false;
    return cudaErrorCapturedEvent;
}

void forget_captured(cudaStream_t stream) {
    if (active_captures == 0) return;
    const std::lock_guard lock(graphs_mutex());
    const CapturedStream* const state = captured(stream);
    if (state == nullptr) return;
    Capture* const its = state->capture;
    its->is_valid = false;
    if (its->stream == stream)
        end(its);
    else
        captures().streams.erase(stream);
}

void forget_captured(cudaEvent_t event) {
    if (captured_events == 0) return;
    const std::lock_guard lock(graphs_mutex());
    captures().events.erase(event);
    captured_events = static_cast<unsigned>(captures().events.size());
}

void forget_captures() {
    const std::lock_guard lock(graphs_mutex());
    captures().streams.clear();
    captures().events.clear();
    captures().active.clear();
    active_captures = captured_events = 0;
}

}  // namespace emulator

using namespace emulator;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return capture_api([&] { return begin(stream, mode, std::make_shared<Graph>(), false, {}); });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, std::size_t n, cudaStreamCaptureMode mode) {
    return capture_api([&] {
        if (!is_graph(graph) || (n > 0 && dependencies == nullptr)) return cudaErrorInvalidValue;
        const std::vector<GraphNode*> before(dependencies, dependencies + n);
        for (const GraphNode* each : before)
            if (!is_node(each) || each->graph != graph) return cudaErrorInvalidValue;
        return begin(stream, mode, std::shared_ptr<Graph>(std::shared_ptr<Graph>(), graph), true, before);
    });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return capture_api([&] { return end(stream, graph); });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return cudaStreamGetCaptureInfo(stream, status);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, std::size_t* n) {
    return capture_api([&] {
        if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
        if (status == nullptr) return cudaErrorInvalidValue;
        if (is_legacy(stream))
            for (const auto& [each, state] : captures().streams)
                if (legacy_waits_for(each)) return cudaErrorStreamCaptureImplicit;
        const CapturedStream* const state = captured(stream);
        store<const cudaGraphEdgeData*>(edges, nullptr);
        if (state == nullptr) {
            *status = cudaStreamCaptureStatusNone;
            return cudaSuccess;
        }
        const Capture& its = *state->capture;
        *status = its.is_valid ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusInvalidated;
        if (!its.is_valid) return cudaSuccess;
        store(id, its.id);
        store(graph, its.graph.get());
        store<const cudaGraphNode_t*>(dependencies, state->last.data());
        store(n, state->last.size());
        return cudaSuccess;
    });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData*, std::size_t n, unsigned flags) {
    return capture_api([&] {
        CapturedStream* const state = captured(stream);
        if (state == nullptr) return cudaErrorIllegalState;
        if (!state->capture->is_valid) return cudaErrorStreamCaptureInvalidated;
        if (flags > cudaStreamSetCaptureDependencies || (n > 0 && dependencies == nullptr))
            return cudaErrorInvalidValue;
        const std::vector<GraphNode*> nodes(dependencies, dependencies + n);
        for (const GraphNode* each : nodes)
            if (!is_node(each) || each->graph != state->capture->graph.get()) return cudaErrorInvalidValue;
        if (flags == cudaStreamSetCaptureDependencies) state->last.clear();
        add_new(state->last, nodes);
        return cudaSuccess;
    });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    return api([&] {
        if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed)
            return cudaErrorInvalidValue;
        std::swap(*mode, thread_mode);
        return cudaSuccess;
    });
}
