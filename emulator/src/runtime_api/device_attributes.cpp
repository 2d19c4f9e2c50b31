#include <algorithm>
#include <climits>
#include <iterator>
#include <optional>
#include <utility>

#include "api.h"
#include "emulator/device.h"

// Programs from before CUDA 13 read some of the properties that it has no longer.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace emulator {
namespace {

template <class T>
int clamp(T value) {
    return std::cmp_less(value, INT_MAX) ? static_cast<int>(value) : INT_MAX;
}

// A member of the device's properties, or an element of one.
template <auto member, std::size_t... i>
int property(const cudaDeviceProp& properties) {
    if constexpr (sizeof...(i) == 0)
        return clamp(properties.*member);
    else
        return clamp((properties.*member)[i]...);
}

template <int value>
int constant(const cudaDeviceProp&) {
    return value;
}

struct Attribute {
    cudaDeviceAttr attribute;
    int (*value)(const cudaDeviceProp&);
};

// Read off the properties where there is such a property, so that the two cannot disagree. A test compares the names
// with those in the header.
// clang-format off
constexpr Attribute attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, property<&cudaDeviceProp::maxThreadsPerBlock>},
    {cudaDevAttrMaxBlockDimX, property<&cudaDeviceProp::maxThreadsDim, 0>},
    {cudaDevAttrMaxBlockDimY, property<&cudaDeviceProp::maxThreadsDim, 1>},
    {cudaDevAttrMaxBlockDimZ, property<&cudaDeviceProp::maxThreadsDim, 2>},
    {cudaDevAttrMaxGridDimX, property<&cudaDeviceProp::maxGridSize, 0>},
    {cudaDevAttrMaxGridDimY, property<&cudaDeviceProp::maxGridSize, 1>},
    {cudaDevAttrMaxGridDimZ, property<&cudaDeviceProp::maxGridSize, 2>},
    {cudaDevAttrMaxSharedMemoryPerBlock, property<&cudaDeviceProp::sharedMemPerBlock>},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, property<&cudaDeviceProp::sharedMemPerBlockOptin>},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, property<&cudaDeviceProp::sharedMemPerMultiprocessor>},
    {cudaDevAttrReservedSharedMemoryPerBlock, property<&cudaDeviceProp::reservedSharedMemPerBlock>},
    {cudaDevAttrTotalConstantMemory, property<&cudaDeviceProp::totalConstMem>},
    {cudaDevAttrWarpSize, property<&cudaDeviceProp::warpSize>},
    {cudaDevAttrMaxPitch, property<&cudaDeviceProp::memPitch>},
    {cudaDevAttrMaxRegistersPerBlock, property<&cudaDeviceProp::regsPerBlock>},
    {cudaDevAttrMaxRegistersPerMultiprocessor, property<&cudaDeviceProp::regsPerMultiprocessor>},
    {cudaDevAttrMaxThreadsPerMultiProcessor, property<&cudaDeviceProp::maxThreadsPerMultiProcessor>},
    {cudaDevAttrMaxBlocksPerMultiprocessor, property<&cudaDeviceProp::maxBlocksPerMultiProcessor>},
    {cudaDevAttrMultiProcessorCount, property<&cudaDeviceProp::multiProcessorCount>},
    {cudaDevAttrComputeCapabilityMajor, property<&cudaDeviceProp::major>},
    {cudaDevAttrComputeCapabilityMinor, property<&cudaDeviceProp::minor>},
    {cudaDevAttrTextureAlignment, property<&cudaDeviceProp::textureAlignment>},
    {cudaDevAttrTexturePitchAlignment, property<&cudaDeviceProp::texturePitchAlignment>},
    {cudaDevAttrSurfaceAlignment, property<&cudaDeviceProp::surfaceAlignment>},
    {cudaDevAttrL2CacheSize, property<&cudaDeviceProp::l2CacheSize>},
    {cudaDevAttrMaxPersistingL2CacheSize, property<&cudaDeviceProp::persistingL2CacheMaxSize>},
    {cudaDevAttrMaxAccessPolicyWindowSize, property<&cudaDeviceProp::accessPolicyMaxWindowSize>},
    {cudaDevAttrGlobalL1CacheSupported, property<&cudaDeviceProp::globalL1CacheSupported>},
    {cudaDevAttrLocalL1CacheSupported, property<&cudaDeviceProp::localL1CacheSupported>},
    {cudaDevAttrGlobalMemoryBusWidth, property<&cudaDeviceProp::memoryBusWidth>},
    {cudaDevAttrEccEnabled, property<&cudaDeviceProp::ECCEnabled>},
    {cudaDevAttrIntegrated, property<&cudaDeviceProp::integrated>},
    {cudaDevAttrCanMapHostMemory, property<&cudaDeviceProp::canMapHostMemory>},
    {cudaDevAttrConcurrentKernels, property<&cudaDeviceProp::concurrentKernels>},
    {cudaDevAttrAsyncEngineCount, property<&cudaDeviceProp::asyncEngineCount>},
    {cudaDevAttrUnifiedAddressing, property<&cudaDeviceProp::unifiedAddressing>},
    {cudaDevAttrManagedMemory, property<&cudaDeviceProp::managedMemory>},
    {cudaDevAttrConcurrentManagedAccess, property<&cudaDeviceProp::concurrentManagedAccess>},
    {cudaDevAttrDirectManagedMemAccessFromHost, property<&cudaDeviceProp::directManagedMemAccessFromHost>},
    {cudaDevAttrPageableMemoryAccess, property<&cudaDeviceProp::pageableMemoryAccess>},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, property<&cudaDeviceProp::pageableMemoryAccessUsesHostPageTables>},
    {cudaDevAttrHostNativeAtomicSupported, property<&cudaDeviceProp::hostNativeAtomicSupported>},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, property<&cudaDeviceProp::canUseHostPointerForRegisteredMem>},
    {cudaDevAttrHostRegisterSupported, property<&cudaDeviceProp::hostRegisterSupported>},
    {cudaDevAttrHostRegisterReadOnlySupported, property<&cudaDeviceProp::hostRegisterReadOnlySupported>},
    {cudaDevAttrStreamPrioritiesSupported, property<&cudaDeviceProp::streamPrioritiesSupported>},
    {cudaDevAttrComputePreemptionSupported, property<&cudaDeviceProp::computePreemptionSupported>},
    {cudaDevAttrCooperativeLaunch, property<&cudaDeviceProp::cooperativeLaunch>},
    {cudaDevAttrClusterLaunch, property<&cudaDeviceProp::clusterLaunch>},
    {cudaDevAttrMemoryPoolsSupported, property<&cudaDeviceProp::memoryPoolsSupported>},
    {cudaDevAttrMemoryPoolSupportedHandleTypes, property<&cudaDeviceProp::memoryPoolSupportedHandleTypes>},
    {cudaDevAttrSparseCudaArraySupported, property<&cudaDeviceProp::sparseCudaArraySupported>},
    {cudaDevAttrDeferredMappingCudaArraySupported, property<&cudaDeviceProp::deferredMappingCudaArraySupported>},
    {cudaDevAttrTimelineSemaphoreInteropSupported, property<&cudaDeviceProp::timelineSemaphoreInteropSupported>},
    {cudaDevAttrIpcEventSupport, property<&cudaDeviceProp::ipcEventSupported>},
    {cudaDevAttrGPUDirectRDMASupported, property<&cudaDeviceProp::gpuDirectRDMASupported>},
    {cudaDevAttrGPUDirectRDMAFlushWritesOptions, property<&cudaDeviceProp::gpuDirectRDMAFlushWritesOptions>},
    {cudaDevAttrGPUDirectRDMAWritesOrdering, property<&cudaDeviceProp::gpuDirectRDMAWritesOrdering>},
    {cudaDevAttrHostNumaMultinodeIpcSupported, property<&cudaDeviceProp::hostNumaMultinodeIpcSupported>},
    {cudaDevAttrNumaConfig, property<&cudaDeviceProp::deviceNumaConfig>},
    {cudaDevAttrNumaId, property<&cudaDeviceProp::deviceNumaId>},
    {cudaDevAttrHostNumaId, property<&cudaDeviceProp::hostNumaId>},
    {cudaDevAttrMpsEnabled, property<&cudaDeviceProp::mpsEnabled>},
    {cudaDevAttrTccDriver, property<&cudaDeviceProp::tccDriver>},
    {cudaDevAttrIsMultiGpuBoard, property<&cudaDeviceProp::isMultiGpuBoard>},
    {cudaDevAttrMultiGpuBoardGroupID, property<&cudaDeviceProp::multiGpuBoardGroupID>},
    {cudaDevAttrPciBusId, property<&cudaDeviceProp::pciBusID>},
    {cudaDevAttrPciDeviceId, property<&cudaDeviceProp::pciDeviceID>},
    {cudaDevAttrPciDomainId, property<&cudaDeviceProp::pciDomainID>},
    {cudaDevAttrGpuPciDeviceId, property<&cudaDeviceProp::gpuPciDeviceID>},
    {cudaDevAttrGpuPciSubsystemId, property<&cudaDeviceProp::gpuPciSubsystemID>},

    {cudaDevAttrMaxTexture1DWidth, property<&cudaDeviceProp::maxTexture1D>},
    {cudaDevAttrMaxTexture1DMipmappedWidth, property<&cudaDeviceProp::maxTexture1DMipmap>},
    {cudaDevAttrMaxTexture2DWidth, property<&cudaDeviceProp::maxTexture2D, 0>},
    {cudaDevAttrMaxTexture2DHeight, property<&cudaDeviceProp::maxTexture2D, 1>},
    {cudaDevAttrMaxTexture2DMipmappedWidth, property<&cudaDeviceProp::maxTexture2DMipmap, 0>},
    {cudaDevAttrMaxTexture2DMipmappedHeight, property<&cudaDeviceProp::maxTexture2DMipmap, 1>},
    {cudaDevAttrMaxTexture2DLinearWidth, property<&cudaDeviceProp::maxTexture2DLinear, 0>},
    {cudaDevAttrMaxTexture2DLinearHeight, property<&cudaDeviceProp::maxTexture2DLinear, 1>},
    {cudaDevAttrMaxTexture2DLinearPitch, property<&cudaDeviceProp::maxTexture2DLinear, 2>},
    {cudaDevAttrMaxTexture2DGatherWidth, property<&cudaDeviceProp::maxTexture2DGather, 0>},
    {cudaDevAttrMaxTexture2DGatherHeight, property<&cudaDeviceProp::maxTexture2DGather, 1>},
    {cudaDevAttrMaxTexture3DWidth, property<&cudaDeviceProp::maxTexture3D, 0>},
    {cudaDevAttrMaxTexture3DHeight, property<&cudaDeviceProp::maxTexture3D, 1>},
    {cudaDevAttrMaxTexture3DDepth, property<&cudaDeviceProp::maxTexture3D, 2>},
    {cudaDevAttrMaxTexture3DWidthAlt, property<&cudaDeviceProp::maxTexture3DAlt, 0>},
    {cudaDevAttrMaxTexture3DHeightAlt, property<&cudaDeviceProp::maxTexture3DAlt, 1>},
    {cudaDevAttrMaxTexture3DDepthAlt, property<&cudaDeviceProp::maxTexture3DAlt, 2>},
    {cudaDevAttrMaxTextureCubemapWidth, property<&cudaDeviceProp::maxTextureCubemap>},
    {cudaDevAttrMaxTexture1DLayeredWidth, property<&cudaDeviceProp::maxTexture1DLayered, 0>},
    {cudaDevAttrMaxTexture1DLayeredLayers, property<&cudaDeviceProp::maxTexture1DLayered, 1>},
    {cudaDevAttrMaxTexture2DLayeredWidth, property<&cudaDeviceProp::maxTexture2DLayered, 0>},
    {cudaDevAttrMaxTexture2DLayeredHeight, property<&cudaDeviceProp::maxTexture2DLayered, 1>},
    {cudaDevAttrMaxTexture2DLayeredLayers, property<&cudaDeviceProp::maxTexture2DLayered, 2>},
    {cudaDevAttrMaxTextureCubemapLayeredWidth, property<&cudaDeviceProp::maxTextureCubemapLayered, 0>},
    {cudaDevAttrMaxTextureCubemapLayeredLayers, property<&cudaDeviceProp::maxTextureCubemapLayered, 1>},
    {cudaDevAttrMaxSurface1DWidth, property<&cudaDeviceProp::maxSurface1D>},
    {cudaDevAttrMaxSurface2DWidth, property<&cudaDeviceProp::maxSurface2D, 0>},
    {cudaDevAttrMaxSurface2DHeight, property<&cudaDeviceProp::maxSurface2D, 1>},
    {cudaDevAttrMaxSurface3DWidth, property<&cudaDeviceProp::maxSurface3D, 0>},
    {cudaDevAttrMaxSurface3DHeight, property<&cudaDeviceProp::maxSurface3D, 1>},
    {cudaDevAttrMaxSurface3DDepth, property<&cudaDeviceProp::maxSurface3D, 2>},
    {cudaDevAttrMaxSurface1DLayeredWidth, property<&cudaDeviceProp::maxSurface1DLayered, 0>},
    {cudaDevAttrMaxSurface1DLayeredLayers, property<&cudaDeviceProp::maxSurface1DLayered, 1>},
    {cudaDevAttrMaxSurface2DLayeredWidth, property<&cudaDeviceProp::maxSurface2DLayered, 0>},
    {cudaDevAttrMaxSurface2DLayeredHeight, property<&cudaDeviceProp::maxSurface2DLayered, 1>},
    {cudaDevAttrMaxSurface2DLayeredLayers, property<&cudaDeviceProp::maxSurface2DLayered, 2>},
    {cudaDevAttrMaxSurfaceCubemapWidth, property<&cudaDeviceProp::maxSurfaceCubemap>},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth, property<&cudaDeviceProp::maxSurfaceCubemapLayered, 0>},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers, property<&cudaDeviceProp::maxSurfaceCubemapLayered, 1>},

    {cudaDevAttrClockRate, property<&cudaDeviceProp::clockRate>},
    {cudaDevAttrMemoryClockRate, property<&cudaDeviceProp::memoryClockRate>},
    {cudaDevAttrComputeMode, property<&cudaDeviceProp::computeMode>},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, property<&cudaDeviceProp::singleToDoublePrecisionPerfRatio>},
    {cudaDevAttrGpuOverlap, property<&cudaDeviceProp::deviceOverlap>},
    {cudaDevAttrKernelExecTimeout, property<&cudaDeviceProp::kernelExecTimeoutEnabled>},
    {cudaDevAttrMaxTexture1DLinearWidth, property<&cudaDeviceProp::maxTexture1DLinear>},

    // There is no property for these.
    {cudaDevAttrCanFlushRemoteWrites, constant<0>},
    {cudaDevAttrD3D12CigSupported, constant<0>},
    {cudaDevAttrVulkanCigSupported, constant<0>},
    {cudaDevAttrHostNumaMemoryPoolsSupported, constant<0>},
    {cudaDevAttrHostMemoryPoolsSupported, constant<0>},
    {cudaDevAttrOnlyPartialHostNativeAtomicSupported, constant<0>},
    {cudaDevAttrMemSyncDomainCount, constant<1>},

    {cudaDevAttrReserved92, constant<0>},
    {cudaDevAttrReserved93, constant<0>},
    {cudaDevAttrReserved94, constant<0>},
    {cudaDevAttrReserved96, constant<0>},
    {cudaDevAttrReserved122, constant<0>},
    {cudaDevAttrReserved123, constant<0>},
    {cudaDevAttrReserved124, constant<0>},
    {cudaDevAttrReserved127, constant<0>},
    {cudaDevAttrReserved128, constant<0>},
    {cudaDevAttrReserved129, constant<0>},
    {cudaDevAttrReserved132, constant<0>},
    {cudaDevAttrReserved141, constant<0>},
    {cudaDevAttrReserved145, constant<0>},
};
// clang-format on

}  // namespace

std::optional<int> attribute_value(cudaDeviceAttr attribute, const cudaDeviceProp& properties) {
    const int asked = attribute;  // may be no enumerator
    const auto row = std::ranges::find_if(attributes, [=](const Attribute& each) { return each.attribute == asked; });
    return row == std::end(attributes) ? std::nullopt : std::optional(row->value(properties));
}

}  // namespace emulator
