// Two devices, on two GPUs of a machine and on the emulator with EMULATOR_DEVICES=2: emulator_tests "[.devices]" runs
// these, which need more than there is as a rule.

#include <cstring>
#include <thread>

#include "device.h"
#include "testing.h"

namespace {

__device__ int counter = 5;
__constant__ float weights[3] = {1, 2, 3};
__managed__ int shared_by_all = 0;
template <class T>
__device__ T seven = 7;

__global__ void fill(int* x, int value) {
    x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void add(int* sum, const int* x, const int* y) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sum[i] = x[i] + y[i];
}

__global__ void change_variables(int by) {
    counter += by;
    seven<int> *= by;
    shared_by_all += by;
}

__global__ void read_variables(float* out) {
    out[0] = static_cast<float>(counter);
    out[1] = weights[1];
    out[2] = static_cast<float>(seven<int>);
}

__device__ int launches = 0;

__global__ void count_launches(int* out) {
    *out = ++launches;
}

__global__ void use_shared(int* out) {
    extern __shared__ int pool[];
    pool[threadIdx.x] = 1;
    *out = pool[0];
}

// No part of the constructor: REQUIRE in one keeps nvcc 13.0's front end busy for ever, with the headers of g++ 13.
void require_two() {
    int count = 0;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    REQUIRE(count >= 2);
}

/// The test's devices, and afterwards the first one again.
struct TwoDevices {
    TwoDevices() { require_two(); }
    ~TwoDevices() { cudaSetDevice(0); }
};

int current() {
    int device = -1;
    CUDA_CHECK(cudaGetDevice(&device));
    return device;
}

std::size_t free_bytes() {
    std::size_t free = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    return free;
}

std::vector<float> variables() {
    DeviceBuffer<float> out(3);
    read_variables<<<1, 1>>>(out.data());
    CUDA_CHECK_LAUNCH();
    return out.to_host();
}

}  // namespace

TEST_CASE("each host thread has a current device", "[.devices]") {
    const TwoDevices two;
    CUDA_CHECK(cudaSetDevice(1));
    REQUIRE(current() == 1);
    int in_thread = -1, set_there = -1;
    std::thread([&] {
        cudaGetDevice(&in_thread);
        cudaSetDevice(0);
        cudaGetDevice(&set_there);
    }).join();
    REQUIRE(in_thread == 0);
    REQUIRE(set_there == 0);
    REQUIRE(current() == 1);
    REQUIRE_ERROR(cudaSetDevice(1000), cudaErrorInvalidDevice);
    REQUIRE(current() == 1);
}

TEST_CASE("each device has memory of its own", "[.devices]") {
    const TwoDevices two;
    constexpr std::size_t bytes = 64u << 20;
    const std::size_t free_of_0 = free_bytes();
    CUDA_CHECK(cudaSetDevice(1));
    const std::size_t free_of_1 = free_bytes();
    int *x = nullptr, *managed = nullptr, *pinned = nullptr;
    CUDA_CHECK(cudaMalloc(&x, bytes));
    REQUIRE(free_bytes() + bytes <= free_of_1);
    CUDA_CHECK(cudaMallocManaged(&managed, 64));
    CUDA_CHECK(cudaMallocHost(&pinned, 64));
    CUDA_CHECK(cudaSetDevice(0));
    REQUIRE(free_bytes() + (1u << 20) >= free_of_0);
    cudaPointerAttributes attributes{};
    CUDA_CHECK(cudaPointerGetAttributes(&attributes, x + 5));
    REQUIRE(attributes.type == cudaMemoryTypeDevice);
    REQUIRE(attributes.device == 1);
    CUDA_CHECK(cudaPointerGetAttributes(&attributes, managed));
    REQUIRE(attributes.device == 1);
    CUDA_CHECK(cudaPointerGetAttributes(&attributes, pinned));
    REQUIRE(attributes.device == 1);
    CUDA_CHECK(cudaFree(x));  // also while another device is current
    CUDA_CHECK(cudaFree(managed));
    CUDA_CHECK(cudaFreeHost(pinned));
    CUDA_CHECK(cudaSetDevice(1));
    REQUIRE(free_bytes() + (1u << 20) >= free_of_1);
}

TEST_CASE("streams and events belong to a device", "[.devices]") {
    const TwoDevices two;
    cudaStream_t of_0{}, of_1{};
    cudaEvent_t event_of_0{}, event_of_1{};
    CUDA_CHECK(cudaStreamCreate(&of_0));
    CUDA_CHECK(cudaEventCreate(&event_of_0));
    CUDA_CHECK(cudaSetDevice(1));
    CUDA_CHECK(cudaStreamCreate(&of_1));
    CUDA_CHECK(cudaEventCreate(&event_of_1));
    auto x = poisoned<int>(32);
    int device = -1;
    CUDA_CHECK(cudaStreamGetDevice(of_0, &device));
    REQUIRE(device == 0);
    CUDA_CHECK(cudaStreamGetDevice(of_1, &device));
    REQUIRE(device == 1);

    fill<<<1, 32, 0, of_1>>>(x.data(), 2);
    CUDA_CHECK_LAUNCH();
    REQUIRE_ERROR(cudaEventRecord(event_of_0, of_1), cudaErrorInvalidResourceHandle);
    REQUIRE_ERROR(cudaEventRecord(event_of_1, of_0), cudaErrorInvalidResourceHandle);
    REQUIRE_ERROR(cudaEventRecord(event_of_0), cudaErrorInvalidResourceHandle);  // the default stream of device 1
    CUDA_CHECK(cudaEventRecord(event_of_1, of_1));
    CUDA_CHECK(cudaEventRecord(event_of_0, of_0));  // although device 1 is current
    CUDA_CHECK(cudaStreamWaitEvent(of_0, event_of_1));
    std::vector<int> result(32);
    CUDA_CHECK(cudaMemcpyAsync(result.data(), x.data(), 128, cudaMemcpyDeviceToHost, of_0));  // copies may
    CUDA_CHECK(cudaStreamSynchronize(of_0));
    CUDA_CHECK(cudaStreamSynchronize(of_1));
    CUDA_CHECK(cudaEventSynchronize(event_of_0));
    REQUIRE(cudaEventQuery(event_of_0) == cudaSuccess);
    REQUIRE_SAME(result, std::vector<int>(32, 2));
    float milliseconds = 0;
    REQUIRE_ERROR(cudaEventElapsedTime(&milliseconds, event_of_0, event_of_1), cudaErrorInvalidResourceHandle);
    CUDA_CHECK(cudaEventDestroy(event_of_0));
    CUDA_CHECK(cudaEventDestroy(event_of_1));
    CUDA_CHECK(cudaStreamDestroy(of_0));
    CUDA_CHECK(cudaStreamDestroy(of_1));
}

TEST_CASE("a launch runs on the device of its stream", "[.devices]") {
    const TwoDevices two;
    cudaStream_t of_0{};
    CUDA_CHECK(cudaStreamCreate(&of_0));
    auto on_0 = poisoned<int>(1);
    int* out = on_0.data();
    void* arguments[] = {&out};
    CUDA_CHECK(cudaSetDevice(1));
    auto on_1 = poisoned<int>(1);
    count_launches<<<1, 1, 0, of_0>>>(out);  // which device 1 could not write
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(count_launches), dim3(1), dim3(1), arguments, 0, of_0));
    CUDA_CHECK(cudaStreamSynchronize(of_0));
    count_launches<<<1, 1>>>(on_1.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE(on_1.to_host() == std::vector<int>{1});
    REQUIRE(on_0.to_host() == std::vector<int>{2});
    CUDA_CHECK(cudaStreamDestroy(of_0));
}

TEST_CASE("copies go from device to device", "[.devices]") {
    const TwoDevices two;
    const auto data = random_values<int>(1000);
    const auto on_0 = DeviceBuffer<int>::from_host(data);
    CUDA_CHECK(cudaSetDevice(1));
    const std::size_t bytes = data.size() * sizeof(int);
    auto on_1 = poisoned<int>(data.size());
    const auto arrives = [&](cudaError_t status) {
        CUDA_CHECK(status);
        REQUIRE_SAME(on_1.to_host(), data);
        on_1.poison();
    };
    arrives(cudaMemcpyPeer(on_1.data(), 1, on_0.data(), 0, bytes));
    arrives(cudaMemcpyPeerAsync(on_1.data(), 1, on_0.data(), 0, bytes, nullptr));
    arrives(cudaMemcpy(on_1.data(), on_0.data(), bytes, cudaMemcpyDefault));
    arrives(cudaMemcpy(on_1.data(), on_0.data(), bytes, cudaMemcpyDeviceToDevice));
    arrives(cudaMemcpy2D(on_1.data(), 40, on_0.data(), 40, 40, 100, cudaMemcpyDefault));
    REQUIRE_ERROR(cudaMemcpyPeer(on_1.data(), 1000, on_0.data(), 0, bytes), cudaErrorInvalidDevice);
    REQUIRE_ERROR(cudaMemcpyPeer(on_1.data(), 1, on_0.data(), -1, bytes), cudaErrorInvalidDevice);
}

TEST_CASE("a device fills what it may touch", "[.devices]") {
    const TwoDevices two;
    auto on_0 = poisoned<int>(16);
    cudaStream_t of_0{}, of_1{};
    CUDA_CHECK(cudaStreamCreate(&of_0));
    CUDA_CHECK(cudaSetDevice(1));
    CUDA_CHECK(cudaStreamCreate(&of_1));
    REQUIRE_ERROR(cudaMemset(on_0.data(), 1, 64), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaMemsetAsync(on_0.data(), 1, 64, of_1), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaMemset2DAsync(on_0.data(), 16, 1, 8, 4, of_1), cudaErrorInvalidValue);
    CUDA_CHECK(cudaMemsetAsync(on_0.data(), 0, 64, of_0));  // whichever device is current
    CUDA_CHECK(cudaStreamSynchronize(of_0));
    REQUIRE_SAME(on_0.to_host(), std::vector<int>(16));
    CUDA_CHECK(cudaDeviceEnablePeerAccess(0, 0));
    CUDA_CHECK(cudaMemsetAsync(on_0.data(), 0xff, 64, of_1));
    CUDA_CHECK(cudaStreamSynchronize(of_1));
    REQUIRE_SAME(on_0.to_host(), std::vector<int>(16, -1));
    CUDA_CHECK(cudaDeviceDisablePeerAccess(0));
    CUDA_CHECK(cudaStreamDestroy(of_0));
    CUDA_CHECK(cudaStreamDestroy(of_1));
}

TEST_CASE("a kernel reaches the memory of a peer once access is enabled", "[.devices]") {
    const TwoDevices two;
    int can = -1;
    CUDA_CHECK(cudaDeviceCanAccessPeer(&can, 0, 0));
    REQUIRE(can == 0);
    CUDA_CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
    REQUIRE(can == 1);
    CUDA_CHECK(cudaDeviceCanAccessPeer(&can, 1, 0));
    REQUIRE(can == 1);
    const auto x = DeviceBuffer<int>::from_host(std::vector<int>(64, 30));
    CUDA_CHECK(cudaSetDevice(1));
    const auto y = DeviceBuffer<int>::from_host(std::vector<int>(64, 12));
    auto sum = poisoned<int>(64);
    REQUIRE_ERROR(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
    REQUIRE_ERROR(cudaDeviceEnablePeerAccess(0, 1), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaDeviceEnablePeerAccess(1000, 0), cudaErrorInvalidDevice);
    CUDA_CHECK(cudaDeviceEnablePeerAccess(0, 0));
    REQUIRE_ERROR(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessAlreadyEnabled);
    add<<<2, 32>>>(sum.data(), x.data(), y.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(sum.to_host(), std::vector<int>(64, 42));
    CUDA_CHECK(cudaDeviceDisablePeerAccess(0));
    REQUIRE_ERROR(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
    add<<<2, 32>>>(sum.data(), y.data(), y.data());  // its own it reaches as ever
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(sum.to_host(), std::vector<int>(64, 24));
}

TEST_CASE("each device has variables of its own", "[.devices]") {
    const TwoDevices two;
    shared_by_all = 0;
    change_variables<<<1, 1>>>(10);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    const float on_0[] = {0.5f, 1.5f, 2.5f};
    CUDA_CHECK(cudaMemcpyToSymbol(weights, on_0, sizeof on_0));
    REQUIRE_SAME(variables(), (std::vector<float>{15, 1.5f, 70}));

    CUDA_CHECK(cudaSetDevice(1));
    REQUIRE_SAME(variables(), (std::vector<float>{5, 2, 7}));  // as they were declared
    change_variables<<<1, 1>>>(100);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    const int set = 1000;
    CUDA_CHECK(cudaMemcpyToSymbol(seven<int>, &set, sizeof set));
    REQUIRE_SAME(variables(), (std::vector<float>{105, 2, 1000}));
    int got = 0;
    CUDA_CHECK(cudaMemcpyFromSymbol(&got, counter, sizeof got));
    REQUIRE(got == 105);

    CUDA_CHECK(cudaSetDevice(0));
    CUDA_CHECK(cudaMemcpyFromSymbol(&got, counter, sizeof got));
    REQUIRE(got == 15);
    REQUIRE_SAME(variables(), (std::vector<float>{15, 1.5f, 70}));
    REQUIRE(shared_by_all == 110);
}

TEST_CASE("what is set for a kernel is set for the current device", "[.devices]") {
    const TwoDevices two;
    constexpr int bytes = 64 << 10;
    CUDA_CHECK(cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    auto out = poisoned<int>(1);
    use_shared<<<1, 32, bytes>>>(out.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE(out.to_host().front() == 1);
    CUDA_CHECK(cudaSetDevice(1));
    auto out_of_1 = poisoned<int>(1);
    use_shared<<<1, 32, bytes>>>(out_of_1.data());
    REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
    REQUIRE(out_of_1.to_host().front() == -1);
}

TEST_CASE("devices are told apart, and so are the links between them", "[.devices]") {
    const TwoDevices two;
    char bus[2][32] = {};
    cudaDeviceProp properties[2] = {};
    for (int device = 0; device < 2; ++device) {
        CUDA_CHECK(cudaDeviceGetPCIBusId(bus[device], sizeof bus[device], device));
        CUDA_CHECK(cudaGetDeviceProperties(&properties[device], device));
        int found = -1;
        CUDA_CHECK(cudaDeviceGetByPCIBusId(&found, bus[device]));
        REQUIRE(found == device);
    }
    REQUIRE(std::strcmp(bus[0], bus[1]) != 0);
    REQUIRE(std::memcmp(&properties[0].uuid, &properties[1].uuid, sizeof properties[0].uuid) != 0);

    int value = -1;
    CUDA_CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
    REQUIRE(value == 1);
    REQUIRE_ERROR(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 1, 1), cudaErrorInvalidDevice);
    const cudaAtomicOperation operations[] = {cudaAtomicOperationIntegerAdd, cudaAtomicOperationCAS};
    unsigned capabilities[2] = {};
    CUDA_CHECK(cudaDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, 1, 0));
#ifndef __NVCC__  // Two H100s had none, although cudaDevP2PAttrNativeAtomicSupported was 1.
    REQUIRE((capabilities[0] & cudaAtomicCapabilityScalar32) != 0);
    REQUIRE((capabilities[1] & cudaAtomicCapabilityScalar64) != 0);
#endif
    REQUIRE_ERROR(cudaDeviceGetP2PAtomicCapabilities(capabilities, operations, 0, 1, 0), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaDeviceGetP2PAtomicCapabilities(nullptr, operations, 2, 1, 0), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, 0, 0), cudaErrorInvalidDevice);
}

TEST_CASE("a stream of one device captures while the other one works", "[.devices]") {
    const TwoDevices two;
    const auto x = DeviceBuffer<int>::from_host(std::vector<int>(32, 3));
    auto twice = poisoned<int>(32);
    cudaStream_t stream{};
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaSetDevice(1));
    auto y = poisoned<int>(32);
    CUDA_CHECK(cudaSetDevice(0));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    add<<<1, 32, 0, stream>>>(twice.data(), x.data(), x.data());
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaSetDevice(1));
    fill<<<1, 32>>>(y.data(), 8);  // in a default stream that does not wait for the one that captures
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaSetDevice(0));
    cudaGraph_t graph{};
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t executable{};
    CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CUDA_CHECK(cudaGraphLaunch(executable, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    REQUIRE_SAME(twice.to_host(), std::vector<int>(32, 6));
    REQUIRE_SAME(y.to_host(), std::vector<int>(32, 8));
    CUDA_CHECK(cudaGraphExecDestroy(executable));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaStreamDestroy(stream));
}

TEST_CASE("one device is reset, and the other one keeps what it has", "[.devices]") {
    const TwoDevices two;
    const auto kept = DeviceBuffer<int>::from_host(std::vector<int>(32, 9));
    cudaStream_t of_0{}, of_1{};
    CUDA_CHECK(cudaStreamCreate(&of_0));
    CUDA_CHECK(cudaSetDevice(1));
    CUDA_CHECK(cudaStreamCreate(&of_1));
    int* lost = nullptr;
    CUDA_CHECK(cudaMalloc(&lost, 128));
    CUDA_CHECK(cudaDeviceEnablePeerAccess(0, 0));
    CUDA_CHECK(cudaDeviceReset());
    cudaPointerAttributes attributes{};
    CUDA_CHECK(cudaPointerGetAttributes(&attributes, lost));
    REQUIRE(attributes.type == cudaMemoryTypeUnregistered);
    CUDA_CHECK(cudaDeviceEnablePeerAccess(0, 0));  // forgotten, so that it is not there already
    CUDA_CHECK(cudaDeviceDisablePeerAccess(0));
    CUDA_CHECK(cudaSetDevice(0));
    REQUIRE_SAME(kept.to_host(), std::vector<int>(32, 9));
    CUDA_CHECK(cudaStreamSynchronize(of_0));
    CUDA_CHECK(cudaStreamDestroy(of_0));
}
