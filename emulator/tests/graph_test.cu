// Graphs of the runtime API, on a GPU and on the emulator alike: capture, explicit nodes, updates, conditional nodes,
// and the errors of what a capture does not allow.

#include <algorithm>
#include <array>
#include <thread>

#include "device.h"
#include "testing.h"

namespace {

__global__ void add(int* x, int n, int addend) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) x[i] += addend;
}

__global__ void scale(int* x, int n, int factor) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) x[i] *= factor;
}

struct Coefficients {
    int a, b;
    char padding[60];
};
__global__ void polynomial(const int* x, int* y, int n, Coefficients c) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) y[i] = c.a * x[i] + c.b;
}

__global__ void count_down(int* left, cudaGraphConditionalHandle handle) {
    cudaGraphSetConditional(handle, static_cast<unsigned>(--*left));
}

struct Stream {
    cudaStream_t handle = nullptr;
    explicit Stream(unsigned flags = cudaStreamNonBlocking) { CUDA_CHECK(cudaStreamCreateWithFlags(&handle, flags)); }
    ~Stream() { cudaStreamDestroy(handle); }
    Stream(const Stream&) = delete;
    operator cudaStream_t() const { return handle; }
};
struct Event {
    cudaEvent_t handle = nullptr;
    Event() { CUDA_CHECK(cudaEventCreate(&handle)); }
    ~Event() { cudaEventDestroy(handle); }
    Event(const Event&) = delete;
    operator cudaEvent_t() const { return handle; }
};

constexpr int n = 1000;
constexpr unsigned blocks = 4, threads = 256;

std::vector<int> numbers(int a, int b) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = a * i + b;
    return values;
}

cudaGraphExec_t instantiate(cudaGraph_t graph) {
    cudaGraphExec_t exec = nullptr;
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    return exec;
}

// An executable graph needs the one that it was made from no longer, unless it is to be changed.
cudaGraphExec_t instantiate_last(cudaGraph_t graph) {
    const cudaGraphExec_t exec = instantiate(graph);
    CUDA_CHECK(cudaGraphDestroy(graph));
    return exec;
}

void run(cudaGraphExec_t exec, int times = 1) {
    const Stream stream;
    for (int i = 0; i < times; ++i) CUDA_CHECK(cudaGraphLaunch(exec, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
}

cudaStreamCaptureStatus status_of(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    CUDA_CHECK(cudaStreamIsCapturing(stream, &status));
    return status;
}

// Ends a capture that has become invalid.
void require_invalid(cudaStream_t stream) {
    cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(&graph);
    REQUIRE(status_of(stream) == cudaStreamCaptureStatusInvalidated);
    REQUIRE_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    REQUIRE(graph == nullptr);
    REQUIRE(status_of(stream) == cudaStreamCaptureStatusNone);
}

std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph) {
    std::size_t count = 0;
    CUDA_CHECK(cudaGraphGetNodes(graph, nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count);
    CUDA_CHECK(cudaGraphGetNodes(graph, nodes.data(), &count));
    return nodes;
}

cudaGraphNodeType type_of(cudaGraphNode_t node) {
    cudaGraphNodeType type = cudaGraphNodeTypeCount;
    CUDA_CHECK(cudaGraphNodeGetType(node, &type));
    return type;
}

}  // namespace

TEST_CASE("a captured stream runs when its graph is launched, with copies of the arguments", "[emulator][graphs]") {
    const auto x = DeviceBuffer<int>::from_host(numbers(1, 0));
    auto y = poisoned<int>(n);
    std::vector<int> host(n, -1);
    const Stream stream;
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    REQUIRE(status_of(stream) == cudaStreamCaptureStatusActive);
    {
        Coefficients c{2, 5, {}};
        int *from = x.data(), *to = y.data(), count = n, addend = 100;
        void* arguments[] = {&to, &count, &addend};
        CUDA_CHECK(cudaMemsetAsync(y.data(), 0, n * sizeof(int), stream));
        polynomial<<<blocks, threads, 0, stream>>>(from, to, count, c);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(add), blocks, threads, arguments, 0, stream));
        c.a = count = addend = 0;
        to = nullptr;
    }
    CUDA_CHECK(cudaMemcpyAsync(host.data(), y.data(), n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaLaunchHostFunc(
        stream, [](void* last) { *static_cast<int*>(last) += 1; }, &host.back()));
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    REQUIRE(host.front() == -1);  // Nothing has run yet.
    const auto nodes = nodes_of(graph);
    std::vector<int> types;
    for (const cudaGraphNode_t each : nodes) types.push_back(type_of(each));
    REQUIRE(types == std::vector<int>{cudaGraphNodeTypeMemset, cudaGraphNodeTypeKernel, cudaGraphNodeTypeKernel,
                                      cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeHost});
    cudaKernelNodeParams p{};
    CUDA_CHECK(cudaGraphKernelNodeGetParams(nodes[2], &p));
    REQUIRE(p.gridDim.x == blocks);
    REQUIRE(*static_cast<int*>(p.kernelParams[2]) == 100);
    int more = 200;
    void* changed[] = {p.kernelParams[0], p.kernelParams[1], &more};
    p.kernelParams = changed;
    const cudaGraphExec_t exec = instantiate(graph);
    run(exec);
    auto expected = numbers(2, 105);
    ++expected.back();
    REQUIRE_SAME(host, expected);
    CUDA_CHECK(cudaGraphExecKernelNodeSetParams(exec, nodes[2], &p));
    run(exec, 2);
    expected = numbers(2, 205);
    ++expected.back();
    REQUIRE_SAME(host, expected);
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
}

TEST_CASE("events carry a capture to other streams and back", "[emulator][graphs]") {
    auto x = DeviceBuffer<int>::from_host(numbers(1, 0)), y = DeviceBuffer<int>::from_host(numbers(1, 1));
    const Stream first, second;
    const Event fork, join;
    CUDA_CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
    CUDA_CHECK(cudaEventRecord(fork, first));
    CUDA_CHECK(cudaStreamWaitEvent(second, fork, 0));
    REQUIRE(status_of(second) == cudaStreamCaptureStatusActive);
    add<<<blocks, threads, 0, first>>>(x.data(), n, 1);
    scale<<<blocks, threads, 0, second>>>(y.data(), n, 3);
    CUDA_CHECK(cudaEventRecord(join, second));
    CUDA_CHECK(cudaStreamWaitEvent(first, join, 0));
    scale<<<blocks, threads, 0, first>>>(x.data(), n, 2);
    cudaGraph_t of_first = nullptr, of_second = nullptr, graph = nullptr;
    unsigned long long id = 0;
    cudaStreamCaptureStatus status;
    std::size_t dependencies = 0;
    const cudaGraphNode_t* last = nullptr;
    CUDA_CHECK(cudaStreamGetCaptureInfo(first, &status, &id, &of_first, &last, nullptr, &dependencies));
    REQUIRE(status == cudaStreamCaptureStatusActive);
    REQUIRE(dependencies == 1);
    REQUIRE(type_of(last[0]) == cudaGraphNodeTypeKernel);
    CUDA_CHECK(cudaStreamGetCaptureInfo(second, &status, nullptr, &of_second));
    REQUIRE(of_first == of_second);
    CUDA_CHECK(cudaStreamEndCapture(first, &graph));
    REQUIRE(graph == of_first);
    const auto nodes = nodes_of(graph);
    REQUIRE(nodes.size() == 3);
    std::size_t roots = 0, edges = 0;
    CUDA_CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    CUDA_CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    REQUIRE(roots == 2);
    REQUIRE(edges == 2);
    const cudaGraphExec_t exec = instantiate_last(graph);
    run(exec, 2);
    REQUIRE_SAME(x.to_host(), numbers(4, 6));
    REQUIRE_SAME(y.to_host(), numbers(9, 9));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
}

TEST_CASE("a graph is put together node by node", "[emulator][graphs]") {
    auto x = poisoned<int>(n);
    auto pitched = poisoned<int>(4 * 8);
    std::vector<int> from = numbers(3, 1), to(n, -1);
    int calls = 0;
    cudaGraph_t graph = nullptr, child = nullptr, clone = nullptr;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    CUDA_CHECK(cudaGraphCreate(&child, 0));
    cudaGraphNode_t in, out, kernel, host, empty, inside, nested, fill;
    CUDA_CHECK(cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, x.data(), from.data(), n * sizeof(int),
                                        cudaMemcpyHostToDevice));
    int* data = x.data();
    int count = n, addend = 7;
    void* arguments[] = {&data, &count, &addend};
    cudaKernelNodeParams k{};
    k.func = reinterpret_cast<void*>(add);
    k.gridDim = dim3(blocks);
    k.blockDim = dim3(threads);
    k.kernelParams = arguments;
    CUDA_CHECK(cudaGraphAddKernelNode(&inside, child, nullptr, 0, &k));
    CUDA_CHECK(cudaGraphAddKernelNode(&kernel, graph, &in, 1, &k));
    CUDA_CHECK(cudaGraphAddChildGraphNode(&nested, graph, &kernel, 1, child));
    addend = 0;
    cudaHostNodeParams h{[](void* number) { ++*static_cast<int*>(number); }, &calls};
    CUDA_CHECK(cudaGraphAddHostNode(&host, graph, nullptr, 0, &h));
    const cudaGraphNode_t both[] = {nested, host};
    CUDA_CHECK(cudaGraphAddEmptyNode(&empty, graph, both, 2));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(x.data(), n * sizeof(int), n * sizeof(int), 1);
    copy.dstPtr = make_cudaPitchedPtr(to.data(), n * sizeof(int), n * sizeof(int), 1);
    copy.extent = make_cudaExtent(n * sizeof(int), 1, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    CUDA_CHECK(cudaGraphAddMemcpyNode(&out, graph, nullptr, 0, &copy));
    CUDA_CHECK(cudaGraphAddDependencies(graph, &empty, &out, nullptr, 1));
    cudaMemsetParams s{};
    s.dst = pitched.data();
    s.pitch = 8 * sizeof(int);
    s.value = 0x01020304;
    s.elementSize = 4;
    s.width = 5;
    s.height = 4;
    CUDA_CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &s));

    std::size_t of_empty = 2;
    std::array<cudaGraphNode_t, 3> found{};
    CUDA_CHECK(cudaGraphNodeGetDependencies(empty, found.data(), nullptr, &of_empty));
    REQUIRE(of_empty == 2);
    REQUIRE(std::count(found.begin(), found.end(), nested) == 1);
    CUDA_CHECK(cudaGraphNodeGetDependentNodes(empty, nullptr, nullptr, &of_empty));
    REQUIRE(of_empty == 1);
    CUDA_CHECK(cudaGraphClone(&clone, graph));
    cudaGraphNode_t of_clone = nullptr;
    CUDA_CHECK(cudaGraphNodeFindInClone(&of_clone, host, clone));
    CUDA_CHECK(cudaGraphDestroyNode(of_clone));
    REQUIRE(nodes_of(clone).size() + 1 == nodes_of(graph).size());

    const TemporaryFile picture;
    CUDA_CHECK(cudaGraphDebugDotPrint(graph, picture.path().c_str(), 0));
    REQUIRE(picture.text().find("digraph") != std::string::npos);
    REQUIRE(picture.text().find("->") != std::string::npos);

    const cudaGraphExec_t exec = instantiate(graph), without_host = instantiate_last(clone);
    CUDA_CHECK(cudaGraphDestroy(child));
    run(exec);
    REQUIRE_SAME(to, numbers(3, 15));
    REQUIRE(calls == 1);
    const auto words = pitched.to_host();
    REQUIRE(words[4] == 0x01020304);
    REQUIRE(words[5] == -1);
    run(without_host);
    REQUIRE(calls == 1);
    CUDA_CHECK(cudaGraphNodeSetEnabled(exec, kernel, 0));
    CUDA_CHECK(
        cudaGraphExecMemcpyNodeSetParams1D(exec, in, x.data(), to.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    run(exec);
    REQUIRE_SAME(to, numbers(3, 22));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphExecDestroy(without_host));
    CUDA_CHECK(cudaGraphDestroy(graph));
}

TEST_CASE("an executable graph takes over what changed in a graph that is alike", "[emulator][graphs]") {
    auto x = DeviceBuffer<int>::from_host(numbers(1, 0));
    const Stream stream;
    const auto captured = [&](int addend, bool twice) {
        cudaGraph_t graph = nullptr;
        CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
        add<<<blocks, threads, 0, stream>>>(x.data(), n, addend);
        if (twice) add<<<blocks, threads, 0, stream>>>(x.data(), n, addend);
        CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
        return graph;
    };
    const cudaGraphExec_t exec = instantiate_last(captured(1, false));
    run(exec);
    const cudaGraph_t other = captured(10, false), longer = captured(100, true);
    cudaGraphExecUpdateResultInfo info{};
    CUDA_CHECK(cudaGraphExecUpdate(exec, other, &info));
    REQUIRE(info.result == cudaGraphExecUpdateSuccess);
    run(exec);
    REQUIRE_ERROR(cudaGraphExecUpdate(exec, longer, &info), cudaErrorGraphExecUpdateFailure);
    REQUIRE(info.result == cudaGraphExecUpdateErrorTopologyChanged);
    run(exec);
    REQUIRE_SAME(x.to_host(), numbers(1, 21));
    CUDA_CHECK(cudaGraphDestroy(other));
    CUDA_CHECK(cudaGraphDestroy(longer));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
}

TEST_CASE("a captured event becomes a node, and is recorded with the graph", "[emulator][graphs]") {
    auto x = DeviceBuffer<int>::from_host(numbers(1, 0));
    const Stream stream;
    const Event recorded;
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    scale<<<blocks, threads, 0, stream>>>(x.data(), n, 2);
    CUDA_CHECK(cudaEventRecordWithFlags(recorded, stream, cudaEventRecordExternal));
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    const auto nodes = nodes_of(graph);
    REQUIRE(nodes.size() == 2);
    REQUIRE(type_of(nodes[1]) == cudaGraphNodeTypeEventRecord);
    const cudaGraphExec_t exec = instantiate_last(graph);
    CUDA_CHECK(cudaGraphUpload(exec, stream));
    run(exec);
    CUDA_CHECK(cudaEventSynchronize(recorded));
    REQUIRE_SAME(x.to_host(), numbers(2, 0));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
}

TEST_CASE("conditional nodes run a body once, often, or by number", "[emulator][graphs]") {
    auto x = DeviceBuffer<int>::from_host(numbers(0, 0));
    auto left = DeviceBuffer<int>::from_host(std::vector<int>{4});
    int *data = x.data(), count = n, addend = 1;
    void* arguments[] = {&data, &count, &addend};
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    const auto add_kernel = [&](cudaGraph_t to, cudaGraphNode_t* node, void* function, unsigned b, unsigned t,
                                void** given) {
        cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
        p.kernel.func = function;
        p.kernel.gridDim = dim3(b);
        p.kernel.blockDim = dim3(t);
        p.kernel.kernelParams = given;
        CUDA_CHECK(cudaGraphAddNode(node, to, nullptr, nullptr, 0, &p));
    };
    const auto conditional = [&](cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type, unsigned size,
                                 std::vector<cudaGraphNode_t> before, cudaGraphNode_t* node) {
        cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
        p.conditional.handle = handle;
        p.conditional.type = type;
        p.conditional.size = size;
        CUDA_CHECK(cudaGraphAddNode(node, graph, before.data(), nullptr, before.size(), &p));
        return p.conditional.phGraph_out;
    };
    cudaGraphConditionalHandle again, branch, choice;
    CUDA_CHECK(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
    CUDA_CHECK(cudaGraphConditionalHandleCreate(&branch, graph, 0, cudaGraphCondAssignDefault));
    CUDA_CHECK(cudaGraphConditionalHandleCreate(&choice, graph, 2, cudaGraphCondAssignDefault));
    cudaGraphNode_t loop, either, chosen, node, counted;
    const cudaGraph_t body = conditional(again, cudaGraphCondTypeWhile, 1, {}, &loop)[0];
    add_kernel(body, &node, reinterpret_cast<void*>(add), blocks, threads, arguments);
    int* counter = left.data();
    void* of_counter[] = {&counter, &again};
    add_kernel(body, &counted, reinterpret_cast<void*>(count_down), 1, 1, of_counter);
    addend = 10;  // an if without a body for "no"
    add_kernel(conditional(branch, cudaGraphCondTypeIf, 1, {loop}, &either)[0], &node, reinterpret_cast<void*>(add),
               blocks, threads, arguments);
    const Stream stream;  // A body may be captured.
    CUDA_CHECK(cudaStreamBeginCaptureToGraph(stream,
                                             conditional(choice, cudaGraphCondTypeSwitch, 3, {either}, &chosen)[2],
                                             nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    add<<<blocks, threads, 0, stream>>>(x.data(), n, 100);
    CUDA_CHECK(cudaStreamEndCapture(stream, nullptr));
    REQUIRE(type_of(chosen) == cudaGraphNodeTypeConditional);
    const cudaGraphExec_t exec = instantiate_last(graph);
    run(exec);
    REQUIRE_SAME(x.to_host(), numbers(0, 104));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
}

TEST_CASE("a capture refuses what would wait for it, and is invalid then", "[emulator][graphs]") {
    auto x = DeviceBuffer<int>::from_host(numbers(1, 0));
    const Stream stream, other, blocking(cudaStreamDefault);
    const Event event;
    const auto begin = [](cudaStream_t on, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
        CUDA_CHECK(cudaStreamBeginCapture(on, mode));
    };
    cudaGraph_t graph = nullptr;

    REQUIRE_ERROR(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal),
                  cudaErrorStreamCaptureUnsupported);
    REQUIRE_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
    begin(stream);
    REQUIRE_ERROR(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
    REQUIRE_ERROR(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
    REQUIRE_ERROR(cudaMemsetAsync(x.data(), 0, 4, stream), cudaErrorStreamCaptureInvalidated);
    require_invalid(stream);

    int* p = nullptr;
    begin(stream);
    REQUIRE_ERROR(cudaMalloc(&p, 4), cudaErrorStreamCaptureUnsupported);
    require_invalid(stream);
    begin(stream, cudaStreamCaptureModeRelaxed);
    CUDA_CHECK(cudaMalloc(&p, 4));
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    REQUIRE(nodes_of(graph).empty());
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaFree(p));

    begin(stream);
    add<<<1, 1, 0, stream>>>(x.data(), 1, 1);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    const cudaGraphExec_t exec = instantiate_last(graph);
    begin(stream, cudaStreamCaptureModeRelaxed);  // A graph in a graph is a child node, and no launch.
    REQUIRE_ERROR(cudaGraphLaunch(exec, stream), cudaErrorStreamCaptureUnsupported);
    require_invalid(stream);
    CUDA_CHECK(cudaGraphExecDestroy(exec));

    begin(stream, cudaStreamCaptureModeRelaxed);
    REQUIRE_ERROR(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
    require_invalid(stream);

    begin(blocking, cudaStreamCaptureModeRelaxed);  // The legacy stream would wait for it.
    REQUIRE_ERROR(cudaMemset(x.data(), 0, 4), cudaErrorStreamCaptureImplicit);
    require_invalid(blocking);
    begin(blocking, cudaStreamCaptureModeRelaxed);
    add<<<1, 1>>>(x.data(), 1, 1);
    REQUIRE(cudaGetLastError() == cudaErrorStreamCaptureImplicit);
    require_invalid(blocking);

    begin(stream);  // an event from outside
    CUDA_CHECK(cudaEventRecord(event, other));
    REQUIRE_ERROR(cudaStreamWaitEvent(stream, event, 0), cudaErrorStreamCaptureIsolation);
    require_invalid(stream);

    begin(stream);  // an event of another capture
    begin(other);
    CUDA_CHECK(cudaEventRecord(event, other));
    REQUIRE_ERROR(cudaStreamWaitEvent(stream, event, 0), cudaErrorStreamCaptureMerge);
    require_invalid(stream);
    require_invalid(other);

    begin(stream);  // work that nobody waits for
    CUDA_CHECK(cudaEventRecord(event, stream));
    CUDA_CHECK(cudaStreamWaitEvent(other, event, 0));
    REQUIRE_ERROR(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
    cudaStreamEndCapture(stream, &graph);  // CUDA does not say whether it is invalid now.
    cudaGetLastError();
    begin(stream);
    CUDA_CHECK(cudaEventRecord(event, stream));
    CUDA_CHECK(cudaStreamWaitEvent(other, event, 0));
    add<<<blocks, threads, 0, other>>>(x.data(), n, 1);
    REQUIRE_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
    REQUIRE(status_of(other) == cudaStreamCaptureStatusNone);

    begin(stream, cudaStreamCaptureModeRelaxed);
    CUDA_CHECK(cudaEventRecord(event, stream));
    REQUIRE_ERROR(cudaEventQuery(event), cudaErrorCapturedEvent);
    require_invalid(stream);

    begin(stream, cudaStreamCaptureModeThreadLocal);
    cudaError_t elsewhere = cudaSuccess, allocated = cudaSuccess;
    std::thread([&] {
        cudaGraph_t mine;
        int* memory = nullptr;
        allocated = cudaMalloc(&memory, 4);  // That is this thread's own matter.
        cudaFree(memory);
        elsewhere = cudaStreamEndCapture(stream, &mine);
    }).join();
    REQUIRE(allocated == cudaSuccess);
    REQUIRE(elsewhere == cudaErrorStreamCaptureWrongThread);
    cudaStreamEndCapture(stream, &graph);
    cudaGetLastError();
    REQUIRE(status_of(stream) == cudaStreamCaptureStatusNone);
    REQUIRE_SAME(x.to_host(), numbers(1, 0));  // Nothing of all that has run.
}

TEST_CASE("a graph's memory comes with each launch and goes", "[emulator][graphs]") {
    const auto values = numbers(3, 1);
    const auto in = DeviceBuffer<int>::from_host(values);
    Stream stream;
    int *inner = nullptr, *outer = nullptr;
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CUDA_CHECK(cudaMallocAsync(&outer, n * sizeof(int), stream));
    CUDA_CHECK(cudaMallocAsync(&inner, n * sizeof(int), stream));
    CUDA_CHECK(cudaMemcpyAsync(inner, in.data(), n * sizeof(int), cudaMemcpyDeviceToDevice, stream));
    scale<<<blocks, threads, 0, stream>>>(inner, n, 2);
    polynomial<<<blocks, threads, 0, stream>>>(inner, outer, n, {5, 7, {}});
    CUDA_CHECK(cudaFreeAsync(inner, stream));
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    std::size_t count = 0;
    CUDA_CHECK(cudaGraphGetNodes(graph, nullptr, &count));
    REQUIRE(count == 6);
    const auto expect = [&](const std::vector<int>& got) {
        for (std::size_t i = 0; i < got.size(); ++i) REQUIRE(got[i] == 10 * values[i] + 7);
    };

    cudaGraphExec_t exec = instantiate(graph);
    for (int launch = 0; launch < 3; ++launch) {
        std::vector<int> got(n, -1);
        CUDA_CHECK(cudaGraphLaunch(exec, stream));
        REQUIRE_ERROR(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue);  // It has not been freed.
        CUDA_CHECK(cudaMemcpyAsync(got.data(), outer, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
        launch == 0 ? CUDA_CHECK(cudaFreeAsync(outer, stream)) : CUDA_CHECK(cudaFree(outer));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        expect(got);
    }
    CUDA_CHECK(cudaGraphExecDestroy(exec));

    CUDA_CHECK(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    for (int launch = 0; launch < 3; ++launch) CUDA_CHECK(cudaGraphLaunch(exec, stream));
    std::vector<int> got(n, -1);
    CUDA_CHECK(cudaMemcpyAsync(got.data(), outer, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    expect(got);

    cudaGraph_t freeing = nullptr;  // A graph may free what another one has allocated, and nothing else.
    cudaGraphNode_t node = nullptr;
    void* freed = nullptr;
    CUDA_CHECK(cudaGraphCreate(&freeing, 0));
    REQUIRE_ERROR(cudaGraphAddMemFreeNode(&node, freeing, nullptr, 0, in.data()), cudaErrorInvalidValue);
    CUDA_CHECK(cudaGraphAddMemFreeNode(&node, freeing, nullptr, 0, outer));
    CUDA_CHECK(cudaGraphMemFreeNodeGetParams(node, &freed));
    REQUIRE(freed == outer);
    cudaGraphExec_t frees = instantiate(freeing);
    CUDA_CHECK(cudaGraphLaunch(frees, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaGraphExecDestroy(frees));
    CUDA_CHECK(cudaGraphDestroy(freeing));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
}

TEST_CASE("nodes allocate memory and free it", "[emulator][graphs]") {
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    cudaMemAllocNodeParams p{}, got{};
    cudaGraphNode_t allocated = nullptr, filled = nullptr, copied = nullptr, freed = nullptr;
    p.bytesize = 4000;
    REQUIRE_ERROR(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &p), cudaErrorInvalidValue);  // in no pool
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    CUDA_CHECK(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &p));
    CUDA_CHECK(cudaGraphMemAllocNodeGetParams(allocated, &got));
    REQUIRE(got.bytesize == 4000);
    REQUIRE(got.dptr == p.dptr);
    cudaMemsetParams fill{};
    fill.dst = p.dptr;
    fill.elementSize = 4;
    fill.width = n;
    fill.height = 1;
    fill.value = 123456;
    CUDA_CHECK(cudaGraphAddMemsetNode(&filled, graph, &allocated, 1, &fill));
    std::vector<int> host(n, -1);
    CUDA_CHECK(cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, host.data(), p.dptr, 4000, cudaMemcpyDeviceToHost));
    cudaGraphNodeParams frees(cudaGraphNodeTypeMemFree);
    frees.free.dptr = p.dptr;
    CUDA_CHECK(cudaGraphAddNode(&freed, graph, &copied, nullptr, 1, &frees));
    cudaGraphExec_t exec = instantiate(graph);
    for (int launch = 0; launch < 300; ++launch) CUDA_CHECK(cudaGraphLaunch(exec, nullptr));
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE_SAME(host, numbers(0, 123456));
    CUDA_CHECK(cudaDeviceGraphMemTrim(0));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
}

TEST_CASE("graphs refuse what is none of theirs", "[emulator][graphs]") {
    auto x = poisoned<int>(4);
    cudaGraph_t graph = nullptr, other = nullptr;
    cudaGraphNode_t a, b, node;
    cudaGraphExec_t exec = nullptr;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    CUDA_CHECK(cudaGraphCreate(&other, 0));
    CUDA_CHECK(cudaGraphAddEmptyNode(&a, graph, nullptr, 0));
    CUDA_CHECK(cudaGraphAddEmptyNode(&b, graph, &a, 1));
    REQUIRE_ERROR(cudaGraphCreate(&graph, 1), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaGraphAddEmptyNode(&node, other, &a, 1), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaGraphAddEmptyNode(&node, graph, nullptr, 1), cudaErrorInvalidValue);
    cudaKernelNodeParams k{};
    REQUIRE_ERROR(cudaGraphKernelNodeGetParams(a, &k), cudaErrorInvalidValue);
    cudaMemsetParams s{};
    s.dst = x.data();
    s.elementSize = 3;
    s.width = s.height = 1;
    REQUIRE_ERROR(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &s), cudaErrorInvalidValue);
    CUDA_CHECK(cudaGraphAddDependencies(graph, &b, &a, nullptr, 1));  // They wait for each other.
    REQUIRE_ERROR(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
    CUDA_CHECK(cudaGraphRemoveDependencies(graph, &b, &a, nullptr, 1));
    CUDA_CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    cudaGraphInstantiateParams p{};
    cudaGraphExec_t another = nullptr;
    CUDA_CHECK(cudaGraphInstantiateWithParams(&another, graph, &p));
    REQUIRE(p.result_out == cudaGraphInstantiateSuccess);
    CUDA_CHECK(cudaGraphExecDestroy(another));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaGraphDestroy(other));
}
