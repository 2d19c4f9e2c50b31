#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "emulator/device.h"
#include "emulator/engine.h"
#include "emulator/types.h"

// What a program asks of a kernel and sets for it, occupancy, and launches without <<<>>>.
//
// What compiling for a GPU would tell, and a CPU cannot, is assumed: 32 registers a thread, no local memory and no
// static shared memory. Those are the numbers of a small kernel that fills a multiprocessor.

struct cudaFuncAttributes {
    std::size_t sharedSizeBytes;
    std::size_t constSizeBytes;
    std::size_t localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
    int clusterDimMustBeSet;
    int requiredClusterWidth;
    int requiredClusterHeight;
    int requiredClusterDepth;
    int clusterSchedulingPolicyPreference;
    int nonPortableClusterSizeAllowed;
    int reserved[16];
};

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeClusterDimMustBeSet = 10,
    cudaFuncAttributeRequiredClusterWidth = 11,
    cudaFuncAttributeRequiredClusterHeight = 12,
    cudaFuncAttributeRequiredClusterDepth = 13,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
    cudaFuncAttributeMax
};

enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxShared = 100,
    cudaSharedmemCarveoutMaxL1 = 0
};

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributeProgrammaticEvent = 7,
    cudaLaunchAttributePriority = 8,
    cudaLaunchAttributeMemSyncDomainMap = 9,
    cudaLaunchAttributeMemSyncDomain = 10,
    cudaLaunchAttributePreferredClusterDimension = 11,
    cudaLaunchAttributeLaunchCompletionEvent = 12,
    cudaLaunchAttributeDeviceUpdatableKernelNode = 13,
    cudaLaunchAttributePreferredSharedMemoryCarveout = 14,
    cudaLaunchAttributeNvlinkUtilCentricScheduling = 16
};

/// How a host thread waits for a stream.
enum cudaSynchronizationPolicy {
    cudaSyncPolicyAuto = 1,
    cudaSyncPolicySpin = 2,
    cudaSyncPolicyYield = 3,
    cudaSyncPolicyBlockingSync = 4
};

/// Whose writes a fence of a whole device or system waits for.
enum cudaLaunchMemSyncDomain { cudaLaunchMemSyncDomainDefault = 0, cudaLaunchMemSyncDomainRemote = 1 };

struct cudaLaunchMemSyncDomainMap {
    unsigned char default_;
    unsigned char remote;
};

enum cudaClusterSchedulingPolicy {
    cudaClusterSchedulingPolicyDefault = 0,
    cudaClusterSchedulingPolicySpread = 1,
    cudaClusterSchedulingPolicyLoadBalancing = 2
};

enum cudaAccessProperty {
    cudaAccessPropertyNormal = 0,
    cudaAccessPropertyStreaming = 1,
    cudaAccessPropertyPersisting = 2
};

/// What a device's L2 cache is to keep.
struct cudaAccessPolicyWindow {
    void* base_ptr;
    std::size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
};

union cudaLaunchAttributeValue {
    char pad[64];
    cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    cudaSynchronizationPolicy syncPolicy;
    struct {
        unsigned int x, y, z;
    } clusterDim;
    cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
    int programmaticStreamSerializationAllowed;
    struct {
        cudaEvent_t event;
        int flags;
        int triggerAtBlockStart;
    } programmaticEvent;
    int priority;
    cudaLaunchMemSyncDomainMap memSyncDomainMap;
    cudaLaunchMemSyncDomain memSyncDomain;
    struct {
        unsigned int x, y, z;
    } preferredClusterDim;
    struct {
        cudaEvent_t event;
        int flags;
    } launchCompletionEvent;
    unsigned int sharedMemCarveout;
    unsigned int nvlinkUtilCentricScheduling;
};

struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};

struct cudaLaunchConfig_t {
    dim3 gridDim;
    dim3 blockDim;
    std::size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned int numAttrs;
};

// A stream's attributes are kept, and change nothing: there is no L2 cache here, and the host waits in one way.
#define cudaStreamAttrID cudaLaunchAttributeID
#define cudaStreamAttrValue cudaLaunchAttributeValue
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority
#define cudaStreamAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap
#define cudaStreamAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue* value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID id, cudaLaunchAttributeValue* value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaCtxResetPersistingL2Cache();

inline constexpr unsigned int cudaOccupancyDefault = 0x00;
inline constexpr unsigned int cudaOccupancyDisableCachingOverride = 0x01;

namespace emulator {

/// How the engine knows a kernel: by the function that runs its body.
using KernelId = void (*)(const void*);

/// A kernel as a probe found it. Without an id it could not be asked (see find_kernel()).
struct Kernel {
    bool exists = false;
    KernelId id = nullptr;
    int max_threads = 1024;         ///< __launch_bounds__
    std::size_t static_shared = 0;  ///< bytes, as far as is known: see src/engine/kernels.h
    uint3 cluster{0, 0, 0};         ///< __cluster_dims__
};

/// While it lives, the calling thread's next kernel is not run: it only says who it is.
class Probe {
  public:
    explicit Probe(Kernel* kernel);
    ~Probe();
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;
};

/// A parameter that nobody reads.
template <class T>
union Blank {
    unsigned char bytes[sizeof(T)];
    T value;

    Blank() : bytes{} {}
};

/// A kernel as the functions below take it: as itself, by a pointer to it, or by its address as a void*.
class AnyKernel {
  public:
    template <class... P>
    AnyKernel(void (*kernel)(P...))
        : address_(reinterpret_cast<const void*>(kernel)),
          probe_(&probe<P...>),
          call_([](const void* address, void** arguments) {
              call(to_function<P...>(address), arguments, std::index_sequence_for<P...>());
          }),
          parameters_(sizeof...(P)),
          sizes_(sizes<P...>) {}

    /// A kernel whose type is lost has to have been remembered. Of another address it is said that it is no kernel.
    AnyKernel(const void* address);

    const void* address() const { return address_; }
    explicit operator bool() const { return call_ != nullptr; }  ///< whether it can be called
    std::size_t parameters() const { return parameters_; }
    std::size_t size(std::size_t parameter) const { return sizes_[parameter]; }
    Kernel find() const { return probe_ == nullptr ? Kernel{} : probe_(address_); }

    /// Calls it; arguments[i] points to the i-th argument.
    void operator()(void** arguments) const { call_(address_, arguments); }

  private:
    template <class... P>
    static auto to_function(const void* address) {
        return reinterpret_cast<void (*)(P...)>(const_cast<void*>(address));
    }

    // Calls the kernel with blank arguments for a probe. Parameters that cannot be made of bytes leave it unasked: then
    // it counts as a kernel without launch bounds, and nothing can be set for it.
    template <class... P>
    static Kernel probe(const void* address) {
        Kernel found;
        found.exists = address != nullptr;
        if constexpr ((std::is_trivially_copyable_v<P> && ...)) {
            if (address != nullptr) {
                const Probe probe(&found);
                to_function<P...>(address)(Blank<P>().value...);
            }
        }
        return found;
    }

    template <class... P>
    static constexpr std::size_t sizes[] = {sizeof(P)..., 0};

    template <class... P, std::size_t... I>
    static void call(void (*kernel)(P...), void** arguments, std::index_sequence<I...>) {
        kernel(*static_cast<std::remove_reference_t<P>*>(arguments[I])...);
    }

    const void* address_;
    Kernel (*probe_)(const void*) = nullptr;
    void (*call_)(const void*, void**) = nullptr;
    std::size_t parameters_ = 0;
    const std::size_t* sizes_ = nullptr;
};

void remember(AnyKernel kernel);

/// (void*)x becomes (void*)remembered(x): x itself. If it is a kernel, its type is kept for who has the void* only.
template <class T>
constexpr T&& remembered(T&& x) {
    return static_cast<T&&>(x);
}
template <class T>
constexpr T* remembered(T* x) {
    if constexpr (std::is_constructible_v<AnyKernel, T*> && std::is_function_v<T>) remember(x);
    return x;
}

/// The block size that keeps the most threads busy, the largest of several; `shared_bytes(context, block_size)` is what
/// a block of that size needs.
cudaError_t best_block_size(int* grid_size, int* block_size, AnyKernel kernel,
                            std::size_t (*shared_bytes)(const void* context, int block_size), const void* context,
                            int limit, unsigned flags);

}  // namespace emulator

cudaError_t cudaLaunchKernel(emulator::AnyKernel kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr);

/// All blocks of the grid live at once, so that this_grid().sync() can wait for them.
/// cudaErrorCooperativeLaunchTooLarge if the device has no room for as many: see
/// cudaOccupancyMaxActiveBlocksPerMultiprocessor().
cudaError_t cudaLaunchCooperativeKernel(emulator::AnyKernel kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes = 0, cudaStream_t stream = nullptr);

/// The same with attributes. cudaErrorNotSupported for programmatic events and some more.
/// cudaErrorInvalidClusterSize if the grid cannot be divided into clusters of that shape, or a cluster has too many
/// blocks.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, emulator::AnyKernel kernel, void** arguments);

template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(P...), A&&... arguments) {
    return [&](P... converted) {
        void* pointers[] = {&converted..., nullptr};
        return cudaLaunchKernelExC(config, kernel, pointers);
    }(static_cast<A&&>(arguments)...);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, emulator::AnyKernel kernel);

/// The dynamic shared memory that a kernel may be launched with: 48 KiB at first, up to 227 KiB.
cudaError_t cudaFuncSetAttribute(emulator::AnyKernel kernel, cudaFuncAttribute attribute, int value);

cudaError_t cudaFuncSetCacheConfig(emulator::AnyKernel kernel, cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(emulator::AnyKernel kernel, cudaSharedMemConfig config);

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, emulator::AnyKernel kernel, int block_size,
                                                          std::size_t shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, emulator::AnyKernel kernel,
                                                                   int block_size, std::size_t shared_bytes,
                                                                   unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, emulator::AnyKernel kernel, int blocks,
                                                      int block_size);

/// How many clusters of that launch the device has room for, and how many blocks a cluster may have: 8, or 16 for a
/// kernel with cudaFuncAttributeNonPortableClusterSizeAllowed.
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, emulator::AnyKernel kernel, const cudaLaunchConfig_t* config);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, emulator::AnyKernel kernel,
                                                 const cudaLaunchConfig_t* config);

template <class SharedBytes>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* grid_size, int* block_size,
                                                                    emulator::AnyKernel kernel,
                                                                    SharedBytes shared_bytes, int limit = 0,
                                                                    unsigned int flags = 0) {
    const auto call = [](const void* f, int size) {
        return static_cast<std::size_t>((*const_cast<SharedBytes*>(static_cast<const SharedBytes*>(f)))(size));
    };
    return emulator::best_block_size(grid_size, block_size, kernel, call, &shared_bytes, limit, flags);
}

template <class SharedBytes>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid_size, int* block_size, emulator::AnyKernel kernel,
                                                           SharedBytes shared_bytes, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid_size, block_size, kernel, shared_bytes, limit);
}

cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size, int* block_size, emulator::AnyKernel kernel,
                                                        std::size_t shared_bytes = 0, int limit = 0,
                                                        unsigned int flags = 0);
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, emulator::AnyKernel kernel,
                                               std::size_t shared_bytes = 0, int limit = 0);

// Nothing is recorded here that a profiler could be told to start or stop recording; both only check the device.
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
