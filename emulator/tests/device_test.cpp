#include <cuda_runtime.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <thread>

#include "device.h"
#include "src/memory/memory.h"
#include "src/reports/error_state.h"
#include "testing.h"

namespace {

// The layout of CUDA 13's struct, so that code which counts on it finds the same here.
static_assert(sizeof(cudaDeviceProp) == 1008);
static_assert(offsetof(cudaDeviceProp, multiProcessorCount) == 384);
static_assert(offsetof(cudaDeviceProp, l2CacheSize) == 596);
static_assert(offsetof(cudaDeviceProp, hostNumaMultinodeIpcSupported) == 780);
static_assert(cudaDevAttrClockRate == 13 && cudaDevAttrMemoryClockRate == 36 && cudaDevAttrClusterLaunch == 120);

cudaDeviceProp properties() {
    cudaDeviceProp p{};
    REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
    return p;
}

int attribute(cudaDeviceAttr name) {
    int value = -1;
    REQUIRE(cudaDeviceGetAttribute(&value, name, 0) == cudaSuccess);
    return value;
}

// The call returned this error, and cudaGetLastError() reports it, once.
void require_error(cudaError_t returned, cudaError_t expected) {
    REQUIRE(returned == expected);
    REQUIRE(cudaGetLastError() == expected);
    REQUIRE(cudaGetLastError() == cudaSuccess);
}

const auto no_attribute = static_cast<cudaDeviceAttr>(9999);

}  // namespace

TEST_CASE("there is one device, the CPU", "[device]") {
    int count = 0, device = -1;
    REQUIRE(cudaGetDeviceCount(&count) == cudaSuccess);
    REQUIRE(count == 1);
    REQUIRE(cudaSetDevice(0) == cudaSuccess);
    REQUIRE(cudaGetDevice(&device) == cudaSuccess);
    REQUIRE(device == 0);
    REQUIRE(cudaChooseDevice(&device, nullptr) == cudaErrorInvalidValue);
    const cudaDeviceProp wish{};
    REQUIRE(cudaChooseDevice(&device, &wish) == cudaSuccess);
    REQUIRE(device == 0);
    cudaGetLastError();

    const cudaDeviceProp p = properties();
    REQUIRE(std::string_view(p.name).starts_with("CPU emulator ("));
    REQUIRE(p.multiProcessorCount >= 1);
    REQUIRE(p.multiProcessorCount <= static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
    REQUIRE(std::string_view(p.name).find(std::to_string(p.multiProcessorCount) + " thread") != std::string_view::npos);
    REQUIRE(p.totalGlobalMem == emulator::total_memory());
    REQUIRE(p.l2CacheSize > 0);
}

TEST_CASE("the limits are those of compute capability 9.0", "[device]") {
    const cudaDeviceProp p = properties();
    REQUIRE(p.major == 9);
    REQUIRE(p.minor == 0);
    REQUIRE(p.warpSize == 32);
    REQUIRE(p.maxThreadsPerBlock == 1024);
    REQUIRE(p.maxThreadsDim[0] == 1024);
    REQUIRE(p.maxThreadsDim[1] == 1024);
    REQUIRE(p.maxThreadsDim[2] == 64);
    REQUIRE(p.maxGridSize[0] == INT_MAX);
    REQUIRE(p.maxGridSize[1] == 65535);
    REQUIRE(p.maxGridSize[2] == 65535);
    REQUIRE(p.sharedMemPerBlock == 48 * 1024);
    REQUIRE(p.sharedMemPerBlockOptin == 227 * 1024);
    REQUIRE(p.sharedMemPerMultiprocessor == 228 * 1024);
    REQUIRE(p.regsPerBlock == 65536);
    REQUIRE(p.totalConstMem == 65536);
    REQUIRE(p.maxThreadsPerMultiProcessor == 2048);
    REQUIRE(p.maxBlocksPerMultiProcessor == 32);
    REQUIRE(p.memPitch == INT_MAX);
    REQUIRE(p.textureAlignment == 512);
}

TEST_CASE("copies, kernels and streams are said to be able to what a GPU's are", "[device]") {
    const cudaDeviceProp p = properties();
    REQUIRE(p.asyncEngineCount > 0);
    REQUIRE(p.concurrentKernels == 1);
    REQUIRE(p.streamPrioritiesSupported == 1);
    REQUIRE(attribute(cudaDevAttrGpuOverlap) == 1);
}

TEST_CASE("what is not known of a CPU's memory is 0", "[device]") {
    REQUIRE(attribute(cudaDevAttrMemoryClockRate) == 0);
    REQUIRE(attribute(cudaDevAttrGlobalMemoryBusWidth) == 0);
    REQUIRE(attribute(cudaDevAttrClockRate) >= 0);
}

TEST_CASE("properties and attributes agree", "[device]") {
    const cudaDeviceProp p = properties();
    const auto number = [](std::size_t bytes) { return static_cast<int>(std::min<std::size_t>(bytes, INT_MAX)); };
    const std::pair<cudaDeviceAttr, int> expected[] = {
        {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
        {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
        {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
        {cudaDevAttrMaxSharedMemoryPerBlock, number(p.sharedMemPerBlock)},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, number(p.sharedMemPerBlockOptin)},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, number(p.sharedMemPerMultiprocessor)},
        {cudaDevAttrReservedSharedMemoryPerBlock, number(p.reservedSharedMemPerBlock)},
        {cudaDevAttrTotalConstantMemory, number(p.totalConstMem)},
        {cudaDevAttrWarpSize, p.warpSize},
        {cudaDevAttrMaxPitch, number(p.memPitch)},
        {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
        {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
        {cudaDevAttrTextureAlignment, number(p.textureAlignment)},
        {cudaDevAttrTexturePitchAlignment, number(p.texturePitchAlignment)},
        {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
        {cudaDevAttrComputeCapabilityMajor, p.major},
        {cudaDevAttrComputeCapabilityMinor, p.minor},
        {cudaDevAttrL2CacheSize, p.l2CacheSize},
        {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
        {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
        {cudaDevAttrGpuOverlap, p.asyncEngineCount > 0},
        {cudaDevAttrConcurrentKernels, p.concurrentKernels},
        {cudaDevAttrEccEnabled, p.ECCEnabled},
        {cudaDevAttrIntegrated, p.integrated},
        {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
        {cudaDevAttrManagedMemory, p.managedMemory},
        {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
        {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
        {cudaDevAttrClusterLaunch, p.clusterLaunch},
        {cudaDevAttrMemoryPoolsSupported, p.memoryPoolsSupported},
        {cudaDevAttrPageableMemoryAccess, p.pageableMemoryAccess},
        {cudaDevAttrHostNumaId, p.hostNumaId},
        {cudaDevAttrNumaId, p.deviceNumaId},
        {cudaDevAttrPciBusId, p.pciBusID},
        {cudaDevAttrMaxTexture2DWidth, p.maxTexture2D[0]},
        {cudaDevAttrMaxSurface3DDepth, p.maxSurface3D[2]},
    };
    for (const auto& [name, value] : expected) {
        CAPTURE(static_cast<int>(name));
        REQUIRE(attribute(name) == value);
    }
}

TEST_CASE("every named attribute is answered, no other", "[device]") {
    int value = 0;
    for (const int name : {1, 16, 44, 92, 147}) {
        const bool named = name != 44;  // CUDA 13 has no name for 44.
        CAPTURE(name);
        REQUIRE((cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(name), 0) == cudaSuccess) == named);
    }
    cudaGetLastError();
    require_error(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0), cudaErrorInvalidValue);
    require_error(cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0), cudaErrorInvalidValue);
    require_error(cudaDeviceGetAttribute(&value, no_attribute, 0), cudaErrorInvalidValue);
}

TEST_CASE("wrong devices and null pointers are refused and remembered", "[device]") {
    int value = 0;
    cudaDeviceProp p{};
    char id[32];
    for (const int device : {-1, 1, 1000}) {
        require_error(cudaSetDevice(device), cudaErrorInvalidDevice);
        require_error(cudaGetDeviceProperties(&p, device), cudaErrorInvalidDevice);
        require_error(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, device), cudaErrorInvalidDevice);
        require_error(cudaDeviceGetAttribute(&value, no_attribute, device), cudaErrorInvalidDevice);
        require_error(cudaDeviceGetPCIBusId(id, sizeof id, device), cudaErrorInvalidDevice);
        require_error(cudaDeviceCanAccessPeer(&value, 0, device), cudaErrorInvalidDevice);
        require_error(cudaDeviceEnablePeerAccess(device, 0), cudaErrorInvalidDevice);
        require_error(cudaDeviceDisablePeerAccess(device), cudaErrorInvalidDevice);
        require_error(cudaInitDevice(device, 0, 0), cudaErrorInvalidDevice);
    }
    require_error(cudaGetDeviceCount(nullptr), cudaErrorInvalidValue);
    require_error(cudaGetDevice(nullptr), cudaErrorInvalidValue);
    require_error(cudaGetDeviceProperties(nullptr, 0), cudaErrorInvalidValue);
    require_error(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
    require_error(cudaChooseDevice(nullptr, &p), cudaErrorInvalidValue);
    require_error(cudaDriverGetVersion(nullptr), cudaErrorInvalidValue);
    require_error(cudaRuntimeGetVersion(nullptr), cudaErrorInvalidValue);
    require_error(cudaDeviceGetPCIBusId(nullptr, 13, 0), cudaErrorInvalidValue);
    require_error(cudaDeviceGetLimit(nullptr, cudaLimitStackSize), cudaErrorInvalidValue);
    require_error(cudaDeviceGetCacheConfig(nullptr), cudaErrorInvalidValue);
    require_error(cudaGetDeviceFlags(nullptr), cudaErrorInvalidValue);
    require_error(cudaDeviceCanAccessPeer(nullptr, 0, 0), cudaErrorInvalidValue);
}

TEST_CASE("versions, bus id, peers and priorities", "[device]") {
    int version = 0, can = -1, least = -1, greatest = -1;
    REQUIRE(cudaRuntimeGetVersion(&version) == cudaSuccess);
    REQUIRE(version == 13000);
    REQUIRE(cudaDriverGetVersion(&version) == cudaSuccess);
    REQUIRE(version >= 13000);

    char id[32] = "";
    REQUIRE(cudaDeviceGetPCIBusId(id, 13, 0) == cudaSuccess);  // "0000:00:00.0" and its end
    REQUIRE(std::strlen(id) == 12);
    require_error(cudaDeviceGetPCIBusId(id, 12, 0), cudaErrorInvalidValue);

    REQUIRE(cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess);
    REQUIRE(can == 0);  // A device is no peer of itself.
    for (const auto attribute :
         {cudaDevP2PAttrPerformanceRank, cudaDevP2PAttrAccessSupported, cudaDevP2PAttrNativeAtomicSupported,
          cudaDevP2PAttrCudaArrayAccessSupported, cudaDevP2PAttrOnlyPartialNativeAtomicSupported})
        require_error(cudaDeviceGetP2PAttribute(&can, attribute, 0, 0), cudaErrorInvalidDevice);
    require_error(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 0, 1), cudaErrorInvalidDevice);
    require_error(cudaDeviceGetP2PAttribute(&can, static_cast<cudaDeviceP2PAttr>(6), 0, 1), cudaErrorInvalidValue);
    require_error(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
    require_error(cudaDeviceEnablePeerAccess(0, 1), cudaErrorInvalidValue);
    require_error(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
    int device = -1;
    REQUIRE(cudaDeviceGetPCIBusId(id, sizeof id, 0) == cudaSuccess);
    REQUIRE(cudaDeviceGetByPCIBusId(&device, id) == cudaSuccess);
    REQUIRE(device == 0);
    require_error(cudaDeviceGetByPCIBusId(&device, "ffff:ff:1f.0"), cudaErrorInvalidDevice);
    require_error(cudaDeviceGetByPCIBusId(&device, "neither"), cudaErrorInvalidValue);
    REQUIRE(cudaInitDevice(0, 0, 0) == cudaSuccess);
    REQUIRE(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
    REQUIRE(least == 0);
    REQUIRE(greatest == -5);
    REQUIRE(cudaDeviceGetStreamPriorityRange(nullptr, nullptr) == cudaSuccess);
}

TEST_CASE("limits are kept, and refused where they could not be", "[device]") {
    std::size_t bytes = 0;
    REQUIRE(cudaDeviceGetLimit(&bytes, cudaLimitStackSize) == cudaSuccess);
    REQUIRE(bytes == 1024);
    REQUIRE(cudaDeviceSetLimit(cudaLimitStackSize, 1000) == cudaSuccess);
    REQUIRE(cudaDeviceGetLimit(&bytes, cudaLimitStackSize) == cudaSuccess);
    REQUIRE(bytes == 1008);  // the next multiple of 16
    require_error(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 20), cudaErrorInvalidValue);
    REQUIRE(cudaDeviceSetLimit(cudaLimitStackSize, 1024) == cudaSuccess);

    cudaDeviceProp properties{};
    REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
    const auto most = static_cast<std::size_t>(properties.persistingL2CacheMaxSize);
    for (const std::size_t wanted : {most / 2, 2 * most}) {
        REQUIRE(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, wanted) == cudaSuccess);
        REQUIRE(cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize) == cudaSuccess);
        REQUIRE(bytes == std::min(wanted, most));
    }
    REQUIRE(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20) == cudaSuccess);
    REQUIRE(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize) == cudaSuccess);
    REQUIRE(bytes == 16 << 20);
    REQUIRE(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20) == cudaSuccess);

    require_error(cudaDeviceGetLimit(&bytes, cudaLimitDevRuntimeSyncDepth), cudaErrorUnsupportedLimit);
    require_error(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1), cudaErrorInvalidValue);
}

TEST_CASE("cache preference and flags are kept", "[device]") {
    cudaFuncCache cache = cudaFuncCachePreferEqual;
    REQUIRE(cudaDeviceGetCacheConfig(&cache) == cudaSuccess);
    REQUIRE(cache == cudaFuncCachePreferNone);
    REQUIRE(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess);
    REQUIRE(cudaDeviceGetCacheConfig(&cache) == cudaSuccess);
    REQUIRE(cache == cudaFuncCachePreferL1);
    require_error(cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(9)), cudaErrorInvalidValue);

    cudaSharedMemConfig banks;
    REQUIRE(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte) == cudaSuccess);
    REQUIRE(cudaDeviceGetSharedMemConfig(&banks) == cudaSuccess);
    REQUIRE(banks == cudaSharedMemBankSizeFourByte);
    require_error(cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(3)), cudaErrorInvalidValue);
    require_error(cudaDeviceGetSharedMemConfig(nullptr), cudaErrorInvalidValue);
    REQUIRE(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone) == cudaSuccess);

    unsigned flags = 0;
    REQUIRE(cudaGetDeviceFlags(&flags) == cudaSuccess);
    REQUIRE(flags == cudaDeviceMapHost);
    REQUIRE(cudaSetDeviceFlags(cudaDeviceScheduleSpin) == cudaSuccess);
    REQUIRE(cudaGetDeviceFlags(&flags) == cudaSuccess);
    REQUIRE(flags == (cudaDeviceScheduleSpin | cudaDeviceMapHost));
    require_error(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield), cudaErrorInvalidValue);
    require_error(cudaSetDeviceFlags(0x100), cudaErrorInvalidValue);
    REQUIRE(cudaSetDeviceFlags(cudaDeviceScheduleAuto) == cudaSuccess);
}

TEST_CASE("after a kernel has failed the device still answers, its context does not", "[device]") {
    emulator::set_kernel_error(cudaErrorIllegalAddress);
    int value = 0;
    std::size_t bytes = 0;
    cudaFuncCache cache{};
    cudaDeviceProp p{};
    CHECK(cudaGetDeviceCount(&value) == cudaSuccess);
    CHECK(cudaSetDevice(0) == cudaSuccess);
    CHECK(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0) == cudaSuccess);
    CHECK(cudaRuntimeGetVersion(&value) == cudaSuccess);
    CHECK(cudaDeviceCanAccessPeer(&value, 0, 0) == cudaSuccess);
    CHECK(cudaSetDeviceFlags(cudaDeviceScheduleAuto) == cudaSuccess);
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize) == cudaErrorIllegalAddress);
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 1024) == cudaErrorIllegalAddress);
    CHECK(cudaDeviceGetCacheConfig(&cache) == cudaErrorIllegalAddress);
    CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1) == cudaErrorIllegalAddress);
    CHECK(cudaDeviceGetStreamPriorityRange(&value, &value) == cudaErrorIllegalAddress);
    emulator::clear_sticky_error();
    CHECK(cudaDeviceGetCacheConfig(&cache) == cudaSuccess);
}
