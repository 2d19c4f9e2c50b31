// Kernels as functions: their attributes, what programs set for them, and occupancy.

#include "emulator/functions.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../engine/kernels.h"
#include "../graphs/capture.h"
#include "../memory/devices.h"
#include "../memory/memory.h"
#include "../reports/source_places.h"
#include "../rounding.h"
#include "api.h"
#include "emulator/error.h"
#include "emulator/shared.h"

namespace emulator {
namespace {

constexpr std::size_t default_shared = 48u << 10;
constexpr std::size_t shared_granularity = 128;
constexpr int assumed_registers = 32;

// What was set for a kernel.
struct Settings {
    std::optional<std::size_t> dynamic_shared;
    int carveout = cudaSharedmemCarveoutDefault;
    bool large_clusters = false;  // of more blocks than every GPU allows
    int scheduling = cudaClusterSchedulingPolicyDefault;
};

struct KernelSettings {
    std::mutex mutex;
    std::map<std::pair<int, KernelId>, Settings> of;  // by device
    std::map<const void*, AnyKernel> remembered;
    std::map<KernelId, std::size_t> static_shared;
};

// A static variable of shared memory.
struct SharedSite {
    const std::type_info* site;
    std::size_t bytes, alignment;
};

// Never destroyed: static objects may launch kernels.
KernelSettings& kernel_settings() {
    static auto& all = *new KernelSettings;
    return all;
}

// Filled before main(), and by libraries that are loaded later.
std::vector<SharedSite>& shared_sites() {
    static auto& all = *new std::vector<SharedSite>;
    return all;
}

std::string name_of(const std::type_info& type) {
    const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr),
                                                           &std::free);
    return name == nullptr ? type.name() : name.get();
}

Settings settings_of(KernelId id) {
    const std::lock_guard lock(kernel_settings().mutex);
    const auto it = kernel_settings().of.find({current_device(), id});
    return it == kernel_settings().of.end() ? Settings{} : it->second;
}

thread_local Kernel* asked = nullptr;

// Calls `call` with what is found out about the kernel.
template <class Call>
cudaError_t kernel_call(const AnyKernel& any, Call call, const char* name = __builtin_FUNCTION()) {
    const Kernel kernel = any.find();
    return api(
        [&] {
            if (kernel.exists) return call(kernel);
            return any.address() == nullptr ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidResourceHandle;
        },
        name);
}

template <class Change>
cudaError_t change(const Kernel& kernel, Change change) {
    if (kernel.id == nullptr) {
        explain("not supported: cudaFuncSetAttribute for a kernel whose parameters are not trivially copyable");
        return cudaErrorNotSupported;
    }
    const std::lock_guard lock(kernel_settings().mutex);
    change(kernel_settings().of[{current_device(), kernel.id}]);
    return cudaSuccess;
}

// Blocks of this size and need that one multiprocessor holds at a time; 0 if not even one.
int blocks_that_fit(const Kernel& kernel, int block_size, std::size_t shared_bytes) {
    const cudaDeviceProp& p = device_properties();
    if (block_size > kernel.max_threads || shared_bytes > max_dynamic_shared(kernel)) return 0;
    const int threads = static_cast<int>(round_up(static_cast<std::size_t>(block_size), 32));
    const std::size_t shared =
        round_up(kernel.static_shared + shared_bytes + p.reservedSharedMemPerBlock, shared_granularity);
    return std::min({p.maxBlocksPerMultiProcessor, p.maxThreadsPerMultiProcessor / threads,
                     p.regsPerMultiprocessor / (threads * assumed_registers),
                     static_cast<int>(p.sharedMemPerMultiprocessor / shared)});
}

// The error is the launch's own: an older one of the thread is left as it was.
cudaError_t launch(const AnyKernel& kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                   cudaStream_t stream, LaunchAttributes attributes, const char* call = __builtin_FUNCTION()) {
    const ApiCall this_call(call);
    const auto refuse = [&](cudaError_t error) { return this_call.ended(set_last_error(error)); };
    if (kernel.address() == nullptr) return refuse(cudaErrorInvalidDeviceFunction);
    if (!kernel) return refuse(cudaErrorInvalidResourceHandle);
    if (!arguments_are_there(kernel, arguments)) return refuse(cudaErrorInvalidValue);
    const cudaError_t before = last_error();
    forget_last_error();
    const Launch configuration(grid, block, shared_bytes, stream, attributes);
    kernel(arguments);
    note_launch_returns_error();
    if (!configuration.taken()) {
        explain("cudaLaunchKernel was given a function that is no kernel; it ran on the host");
        return set_last_error(cudaErrorInvalidResourceHandle);
    }
    const cudaError_t error = last_error();
    if (error == cudaSuccess) {
        keep_captured_arguments(stream, kernel, arguments);
        set_last_error(before);
    }
    return error;
}

bool are_flags(unsigned flags) {
    return flags == cudaOccupancyDefault || flags == cudaOccupancyDisableCachingOverride;
}

}  // namespace

bool arguments_are_there(const AnyKernel& kernel, void* const* arguments) {
    const std::size_t n = kernel.parameters();
    if (n > 0 && arguments == nullptr) return false;
    for (std::size_t i = 0; i < n; ++i) {
        const auto address = reinterpret_cast<std::uintptr_t>(arguments[i]);
        if (is_device_address(address) || readable_bytes(arguments[i], kernel.size(i)) == kernel.size(i)) continue;
        const std::string line = source_line(programs_call(callers()));
        explain(
            "the kernel of the launch%s%s has %zu parameters, and number %zu in the array of its arguments' addresses "
            "is 0x%zx, where no memory is: the array has to hold the address of a variable for each parameter.",
            line.empty() ? "" : " at ", line.c_str(), n, i + 1, std::size_t{address});
        return false;
    }
    return true;
}

Probe::Probe(Kernel* kernel) {
    kernel->exists = false;  // until it answers
    asked = kernel;
}

Probe::~Probe() {
    asked = nullptr;
}

bool answer_probe(const Kernel& kernel) {
    if (asked == nullptr) return false;
    *asked = kernel;
    return true;
}

bool note_shared(const std::type_info& site, std::size_t bytes, std::size_t alignment) {
    const std::lock_guard lock(kernel_settings().mutex);
    shared_sites().push_back({&site, bytes, alignment});
    return true;
}

std::size_t static_shared(KernelId id, const std::type_info* body) {
    const std::lock_guard lock(kernel_settings().mutex);
    const auto [known, is_new] = kernel_settings().static_shared.try_emplace(id, 0);
    if (!is_new || body == nullptr) return known->second;
    const std::string in_body = name_of(*body) + "::operator()";
    for (const SharedSite& each : shared_sites())
        if (name_of(*each.site).compare(0, in_body.size(), in_body) == 0)
            known->second = round_up(known->second, each.alignment) + each.bytes;
    return known->second;
}

void note_used_shared(KernelId id, std::size_t bytes) {
    const std::lock_guard lock(kernel_settings().mutex);
    std::size_t& known = kernel_settings().static_shared[id];
    known = std::max(known, bytes);
}

std::size_t max_dynamic_shared(const Kernel& kernel) {
    const std::size_t left = default_shared - std::min(default_shared, kernel.static_shared);
    return settings_of(kernel.id).dynamic_shared.value_or(left);
}

std::uint64_t resident_blocks(const Kernel& kernel, unsigned block_size, std::size_t shared_bytes) {
    return static_cast<std::uint64_t>(blocks_that_fit(kernel, static_cast<int>(block_size), shared_bytes)) *
           static_cast<std::uint64_t>(device_properties().multiProcessorCount);
}

unsigned most_cluster_blocks(const Kernel& kernel) {
    return settings_of(kernel.id).large_clusters ? largest_cluster_blocks : portable_cluster_blocks;
}

namespace {

// Of those that a launch does not take.
std::string name_of(cudaLaunchAttributeID id) {
    switch (id) {
        case cudaLaunchAttributeSynchronizationPolicy:
            return "cudaLaunchAttributeSynchronizationPolicy for a launch (it is for a stream)";
        case cudaLaunchAttributeProgrammaticEvent:
            return "cudaLaunchAttributeProgrammaticEvent";
        case cudaLaunchAttributeDeviceUpdatableKernelNode:
            return "cudaLaunchAttributeDeviceUpdatableKernelNode";
        default:
            return "launch attribute " + std::to_string(id);
    }
}

/// The blocks of a cluster that a launch asks for, or else the kernel; 0 if neither does.
unsigned cluster_blocks(const Kernel& kernel, const cudaLaunchConfig_t& config) {
    uint3 cluster = kernel.cluster;
    for (unsigned i = 0; i < config.numAttrs; ++i)
        if (const auto& dim = config.attrs[i].val.clusterDim; config.attrs[i].id == cudaLaunchAttributeClusterDimension)
            cluster = {dim.x, dim.y, dim.z};
    return cluster.x * cluster.y * cluster.z;
}

}  // namespace

AnyKernel::AnyKernel(const void* address) : address_(address) {
    const std::lock_guard lock(kernel_settings().mutex);
    const auto it = kernel_settings().remembered.find(address);
    if (it != kernel_settings().remembered.end())
        *this = it->second;
    else if (address != nullptr)
        explain("0x%zx is not the address of a kernel", reinterpret_cast<std::size_t>(address));
}

void remember(AnyKernel kernel) {
    const std::lock_guard lock(kernel_settings().mutex);
    kernel_settings().remembered.emplace(kernel.address(), kernel);
}

cudaError_t best_block_size(int* grid_size, int* block_size, AnyKernel any,
                            std::size_t (*shared_bytes)(const void* context, int block_size), const void* context,
                            int limit, unsigned flags) {
    return kernel_call(any, [&](const Kernel& kernel) {
        if (grid_size == nullptr || block_size == nullptr || !are_flags(flags)) return cudaErrorInvalidValue;
        const int largest = limit > 0 ? std::min(limit, kernel.max_threads) : kernel.max_threads;
        int best_threads = 0;
        // Whole warps, and `largest` itself even if it is none.
        for (int size = largest; size > 0; size = (size - 1) / 32 * 32) {
            const int blocks = blocks_that_fit(kernel, size, shared_bytes(context, size));
            if (blocks * size <= best_threads) continue;
            best_threads = blocks * size;
            *block_size = size;
            *grid_size = blocks * device_properties().multiProcessorCount;
        }
        return best_threads > 0 ? cudaSuccess : cudaErrorInvalidValue;
    });
}

void forget_functions(int device) {
    const std::lock_guard lock(kernel_settings().mutex);
    std::erase_if(kernel_settings().of, [&](const auto& each) { return each.first.first == device; });
}

}  // namespace emulator

using namespace emulator;

cudaError_t cudaLaunchKernel(AnyKernel kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                             cudaStream_t stream) {
    return launch(kernel, grid, block, arguments, shared_bytes, stream, {});
}

cudaError_t cudaLaunchCooperativeKernel(AnyKernel kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t stream) {
    return launch(kernel, grid, block, arguments, shared_bytes, stream, {.cooperative = true});
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, AnyKernel kernel, void** arguments) {
    if (config == nullptr || (config->numAttrs > 0 && config->attrs == nullptr))
        return set_last_error(cudaErrorInvalidValue);
    LaunchAttributes attributes;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config->attrs[i];
        switch (attribute.id) {
            // What a device need not follow, or what nothing here depends on: there is no L2 cache, and one launch runs
            // at a time.
            case cudaLaunchAttributeIgnore:
            case cudaLaunchAttributePriority:
            case cudaLaunchAttributeAccessPolicyWindow:
            case cudaLaunchAttributeClusterSchedulingPolicyPreference:
            case cudaLaunchAttributePreferredClusterDimension:
            case cudaLaunchAttributeMemSyncDomainMap:
            case cudaLaunchAttributeMemSyncDomain:
            case cudaLaunchAttributePreferredSharedMemoryCarveout:
            case cudaLaunchAttributeNvlinkUtilCentricScheduling:
                break;
            case cudaLaunchAttributeLaunchCompletionEvent: {
                // The kernel's blocks have begun when all work before it has ended; of its own work the event says
                // nothing.
                const auto& completion = attribute.val.launchCompletionEvent;
                if (const cudaError_t error = cudaEventRecordWithFlags(completion.event, config->stream,
                                                                       static_cast<unsigned>(completion.flags)))
                    return error;
                break;
            }
            case cudaLaunchAttributeCooperative:
                attributes.cooperative = attribute.val.cooperative != 0;
                break;
            case cudaLaunchAttributeProgrammaticStreamSerialization:
                attributes.programmatic = attribute.val.programmaticStreamSerializationAllowed != 0;
                break;
            case cudaLaunchAttributeClusterDimension: {
                const auto& dim = attribute.val.clusterDim;
                if (dim.x == 0 || dim.y == 0 || dim.z == 0) return set_last_error(cudaErrorInvalidValue);
                attributes.cluster = {dim.x, dim.y, dim.z};
                break;
            }
            default:
                explain("not supported: %s", name_of(attribute.id).c_str());
                return set_last_error(cudaErrorNotSupported);
        }
    }
    return launch(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream,
                  attributes);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, AnyKernel any) {
    return kernel_call(any, [&](const Kernel& kernel) {
        if (attributes == nullptr) return cudaErrorInvalidValue;
        *attributes = {};
        attributes->sharedSizeBytes = kernel.static_shared;
        attributes->maxThreadsPerBlock = kernel.max_threads;
        attributes->numRegs = assumed_registers;
        attributes->ptxVersion = attributes->binaryVersion = 90;
        attributes->maxDynamicSharedSizeBytes = static_cast<int>(max_dynamic_shared(kernel));
        const Settings set = settings_of(kernel.id);
        attributes->preferredShmemCarveout = set.carveout;
        attributes->requiredClusterWidth = static_cast<int>(kernel.cluster.x);
        attributes->requiredClusterHeight = static_cast<int>(kernel.cluster.y);
        attributes->requiredClusterDepth = static_cast<int>(kernel.cluster.z);
        attributes->clusterSchedulingPolicyPreference = set.scheduling;
        attributes->nonPortableClusterSizeAllowed = set.large_clusters;
        return cudaSuccess;
    });
}

cudaError_t cudaFuncSetAttribute(AnyKernel any, cudaFuncAttribute attribute, int value) {
    return kernel_call(any, [&](const Kernel& kernel) {
        const int most_shared =
            static_cast<int>(device_properties().sharedMemPerBlockOptin) - static_cast<int>(kernel.static_shared);
        switch (attribute) {
            case cudaFuncAttributeMaxDynamicSharedMemorySize:
                if (value < 0 || value > most_shared) {
                    note_reason(std::to_string(value) + " bytes of dynamic shared memory are asked for, and at most " +
                                std::to_string(most_shared) + " are possible.");
                    return cudaErrorInvalidValue;
                }
                return change(kernel, [&](Settings& s) { s.dynamic_shared = static_cast<std::size_t>(value); });
            case cudaFuncAttributePreferredSharedMemoryCarveout:
                if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
                    return cudaErrorInvalidValue;
                return change(kernel, [&](Settings& s) { s.carveout = value; });
            case cudaFuncAttributeNonPortableClusterSizeAllowed:
                if (value != 0 && value != 1) return cudaErrorInvalidValue;
                return change(kernel, [&](Settings& s) { s.large_clusters = value != 0; });
            case cudaFuncAttributeClusterSchedulingPolicyPreference:
                if (value < cudaClusterSchedulingPolicyDefault || value > cudaClusterSchedulingPolicyLoadBalancing)
                    return cudaErrorInvalidValue;
                return change(kernel, [&](Settings& s) { s.scheduling = value; });
            case cudaFuncAttributeClusterDimMustBeSet:
            case cudaFuncAttributeRequiredClusterWidth:
            case cudaFuncAttributeRequiredClusterHeight:
            case cudaFuncAttributeRequiredClusterDepth:
                explain("not supported: cudaFuncSetAttribute() for the shape of clusters; __cluster_dims__ gives it");
                return cudaErrorNotSupported;
            case cudaFuncAttributeMax:
                break;
        }
        return cudaErrorInvalidValue;
    });
}

cudaError_t cudaFuncSetCacheConfig(AnyKernel any, cudaFuncCache config) {
    return kernel_call(any, [&](const Kernel&) {
        const bool known = config >= cudaFuncCachePreferNone && config <= cudaFuncCachePreferEqual;
        return known ? cudaSuccess : cudaErrorInvalidValue;
    });
}

cudaError_t cudaFuncSetSharedMemConfig(AnyKernel any, cudaSharedMemConfig config) {
    return kernel_call(any, [&](const Kernel&) {
        const bool known = config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
        return known ? cudaSuccess : cudaErrorInvalidValue;
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, AnyKernel any, int block_size,
                                                                   std::size_t shared_bytes, unsigned flags) {
    return kernel_call(any, [&](const Kernel& kernel) {
        if (blocks == nullptr || block_size <= 0 || !are_flags(flags)) return cudaErrorInvalidValue;
        *blocks = blocks_that_fit(kernel, block_size, shared_bytes);
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, AnyKernel kernel, int block_size,
                                                          std::size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, block_size, shared_bytes, 0);
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, AnyKernel any, const cudaLaunchConfig_t* config) {
    return kernel_call(any, [&](const Kernel& kernel) {
        if (clusters == nullptr || config == nullptr) return cudaErrorInvalidValue;
        const unsigned blocks = cluster_blocks(kernel, *config);
        if (blocks == 0 || blocks > most_cluster_blocks(kernel)) return cudaErrorInvalidClusterSize;
        const dim3 b = config->blockDim;
        const std::uint64_t room = resident_blocks(kernel, b.x * b.y * b.z, config->dynamicSmemBytes);
        // One always finds its place, as on a GPU, which has more multiprocessors than a CPU has threads.
        *clusters = room == 0 ? 0 : std::max(1, static_cast<int>(room / blocks));
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, AnyKernel any, const cudaLaunchConfig_t* config) {
    return kernel_call(any, [&](const Kernel& kernel) {
        if (blocks == nullptr || config == nullptr) return cudaErrorInvalidValue;
        const unsigned asked = cluster_blocks(kernel, *config), most = most_cluster_blocks(kernel);
        if (asked > most) return cudaErrorInvalidClusterSize;
        const uint3 declared = kernel.cluster;
        *blocks = static_cast<int>(declared.x > 0 ? declared.x * declared.y * declared.z : most);
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, AnyKernel any, int blocks, int block_size) {
    return kernel_call(any, [&](const Kernel& kernel) {
        if (bytes == nullptr || blocks <= 0 || block_size <= 0) return cudaErrorInvalidValue;
        if (blocks > blocks_that_fit(kernel, block_size, 0)) return cudaErrorInvalidValue;
        const cudaDeviceProp& p = device_properties();
        const std::size_t each = p.sharedMemPerMultiprocessor / static_cast<std::size_t>(blocks);
        const std::size_t free = each / shared_granularity * shared_granularity - p.reservedSharedMemPerBlock;
        *bytes = std::min(free - kernel.static_shared, max_dynamic_shared(kernel));
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size, int* block_size, AnyKernel kernel,
                                                        std::size_t shared_bytes, int limit, unsigned flags) {
    const auto constant = [shared_bytes](int) { return shared_bytes; };
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid_size, block_size, kernel, constant, limit,
                                                                   flags);
}

cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, AnyKernel kernel,
                                               std::size_t shared_bytes, int limit) {
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(grid_size, block_size, kernel, shared_bytes, limit);
}

cudaError_t cudaProfilerStart() {
    return api([] { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
    return cudaProfilerStart();
}
