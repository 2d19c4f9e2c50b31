#include "emulator/device.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

#include "../memory/devices.h"
#include "../memory/memory.h"
#include "../reports/error_state.h"
#include "../settings.h"
#include "api.h"
#include "emulator/engine.h"

// Programs from before CUDA 13 read some of the properties that it has no longer.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace emulator {
namespace {

constexpr int cuda_version = 13000;
constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;
constexpr std::size_t largest_stack = 512 * KiB;  // A fiber's stack holds more, whatever is asked for.

std::string first_word(const std::string& file) {
    std::string word;
    std::ifstream(file) >> word;
    return word;
}

// The CPU's highest clock in kHz, 0 if the machine does not tell.
int clock_khz() {
    const std::string khz = first_word("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
    if (!khz.empty()) return std::atoi(khz.c_str());
    std::ifstream cpuinfo("/proc/cpuinfo");
    for (std::string line; std::getline(cpuinfo, line);)
        if (line.starts_with("cpu MHz"))
            return static_cast<int>(1000 * std::atof(line.c_str() + std::min(line.size(), line.find(':') + 1)));
    return 0;
}

// Bytes of the CPU's last-level cache. The kernel's own table comes first: sysconf counts the caches of a whole
// package, also those that a virtual machine cannot use.
int last_level_cache() {
    std::size_t bytes = 0;
    for (int i = 0; i < 8; ++i) {
        std::string path = "/sys/devices/system/cpu/cpu0/cache/index";
        path += std::to_string(i);  // step by step: g++ 13 warns of what it takes a chain of + to be
        path += "/size";
        const std::string size = first_word(path);
        if (size.empty()) break;
        const std::size_t unit = size.back() == 'K' ? KiB : size.back() == 'M' ? MiB : 1;
        bytes = std::max<std::size_t>(bytes, std::strtoull(size.c_str(), nullptr, 10) * unit);
    }
    for (const int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
        if (bytes == 0) bytes = static_cast<std::size_t>(std::max(0L, sysconf(level)));
    if (bytes == 0) bytes = 4 * MiB;
    return static_cast<int>(std::min<std::size_t>(bytes, INT_MAX));
}

cudaDeviceProp describe_device() {
    cudaDeviceProp p{};  // What is not named below is 0: not there, or not known.
    std::snprintf(p.name, sizeof p.name, "CPU emulator (%u thread%s)", worker_count(), worker_count() == 1 ? "" : "s");
    std::memcpy(p.uuid.bytes, "CPU emulator   ", sizeof p.uuid.bytes);
    p.major = 9;
    p.minor = 0;
    p.multiProcessorCount = static_cast<int>(worker_count());
    p.warpSize = 32;

    p.maxThreadsPerBlock = 1024;
    std::ranges::copy(std::array{1024, 1024, 64}, p.maxThreadsDim);
    std::ranges::copy(std::array{INT_MAX, 65535, 65535}, p.maxGridSize);
    p.maxThreadsPerMultiProcessor = 2048;
    p.maxBlocksPerMultiProcessor = 32;
    p.regsPerBlock = 65536;
    p.regsPerMultiprocessor = 65536;
    p.sharedMemPerBlock = 48 * KiB;
    p.sharedMemPerBlockOptin = 227 * KiB;
    p.reservedSharedMemPerBlock = 1 * KiB;
    p.sharedMemPerMultiprocessor = 228 * KiB;
    p.cooperativeLaunch = 1;
    p.clusterLaunch = 1;

    p.totalGlobalMem = total_memory();
    p.totalConstMem = 64 * KiB;
    p.l2CacheSize = last_level_cache();
    p.memPitch = INT_MAX;
    p.textureAlignment = 512;  // No textures, but the rows of pitched memory start at multiples of it.
    p.texturePitchAlignment = 32;
    p.globalL1CacheSupported = 1;
    p.localL1CacheSupported = 1;

    p.unifiedAddressing = 1;  // Pinned memory has one address for host and kernels.
    p.canMapHostMemory = 1;
    p.canUseHostPointerForRegisteredMem = 1;
    p.hostRegisterSupported = 1;
    p.managedMemory = 1;
    p.concurrentManagedAccess = 1;
    // Programs ask for these before they use streams, and a GPU has them. Here each copy and kernel has its turn.
    p.asyncEngineCount = 3;
    p.deviceOverlap = 1;
    p.concurrentKernels = 1;
    p.streamPrioritiesSupported = 1;
    p.clockRate = clock_khz();
    p.singleToDoublePrecisionPerfRatio = 2;
    p.deviceNumaId = -1;
    p.hostNumaId = -1;
    return p;
}

// The devices are told apart by their place on the bus, and by the last byte of their number.
cudaDeviceProp properties_of(int device) {
    cudaDeviceProp p = device_properties();
    p.pciBusID = device;
    p.uuid.bytes[sizeof p.uuid.bytes - 1] = static_cast<char>(device);
    return p;
}

// What a program set for a device and may ask for again. The first values are those of a GPU of compute capability 9.0.
struct Choices {
    std::mutex mutex;
    std::size_t stack_bytes = 1 * KiB;
    std::size_t printf_bytes = 8448 * KiB;
    std::size_t heap_bytes = 8 * MiB;
    std::size_t persisting_bytes = 0;  // of the L2 cache; it changes nothing here
    cudaFuncCache cache = cudaFuncCachePreferNone;
    unsigned flags = cudaDeviceScheduleAuto;
};

Choices& choices_of(int device) {
    static Choices of_devices[most_devices];
    return of_devices[device];
}
Choices& choices() {
    return choices_of(current_device());
}

// Where a limit is kept. On failure null, and *error says why.
std::size_t* limit_setting(cudaLimit limit, cudaError_t* error) {
    switch (limit) {
        case cudaLimitStackSize:
            return &choices().stack_bytes;
        case cudaLimitPrintfFifoSize:
            return &choices().printf_bytes;
        case cudaLimitMallocHeapSize:
            return &choices().heap_bytes;
        case cudaLimitPersistingL2CacheSize:
            return &choices().persisting_bytes;
        case cudaLimitDevRuntimeSyncDepth:
        case cudaLimitDevRuntimePendingLaunchCount:
        case cudaLimitMaxL2FetchGranularity:
            *error = cudaErrorUnsupportedLimit;
            return nullptr;
    }
    *error = cudaErrorInvalidValue;
    return nullptr;
}

// No device, a missing pointer, or the answer.
template <class T, class Value>
cudaError_t answer(T* result, Value value) {
    if (device_count() == 0) return set_last_error(cudaErrorNoDevice);
    if (result == nullptr) return set_last_error(cudaErrorInvalidValue);
    *result = value;
    return cudaSuccess;
}

// Of a call that asks about two devices.
cudaError_t check_devices(int device, int peer) {
    const cudaError_t error = check_device(device);
    return error == cudaSuccess ? check_device(peer) : error;
}

// Which operations of a kind there are here. All of them work on a peer's memory as on a device's own.
unsigned peer_atomics(cudaAtomicOperation operation) {
    constexpr unsigned whole = cudaAtomicCapabilitySigned | cudaAtomicCapabilityUnsigned |
                               cudaAtomicCapabilityReduction | cudaAtomicCapabilityScalar32 |
                               cudaAtomicCapabilityScalar64;
    switch (operation) {
        case cudaAtomicOperationExchange:
        case cudaAtomicOperationCAS:
            return cudaAtomicCapabilityScalar32 | cudaAtomicCapabilityScalar64;
        case cudaAtomicOperationFloatAdd:
            return cudaAtomicCapabilityReduction | cudaAtomicCapabilityScalar32 | cudaAtomicCapabilityScalar64;
        case cudaAtomicOperationFloatMin:
        case cudaAtomicOperationFloatMax:
            return 0;
        default:
            return whole;
    }
}

}  // namespace

cudaError_t check_device(int device) {
    if (device_count() == 0) return cudaErrorNoDevice;
    return device >= 0 && device < device_count() ? cudaSuccess : cudaErrorInvalidDevice;
}

std::size_t heap_bytes(int device) {
    const std::lock_guard lock(choices_of(device).mutex);
    return choices_of(device).heap_bytes;
}

const cudaDeviceProp& device_properties() {
    static const cudaDeviceProp properties = describe_device();
    return properties;
}

int device_count() {
    return value_of<settings::devices>();
}

}  // namespace emulator

using emulator::set_last_error;

cudaError_t cudaGetDeviceCount(int* count) {
    if (count == nullptr) return set_last_error(cudaErrorInvalidValue);
    *count = emulator::device_count();
    return set_last_error(*count == 0 ? cudaErrorNoDevice : cudaSuccess);
}

cudaError_t cudaGetDevice(int* device) {
    return emulator::answer(device, emulator::current_device());
}

cudaError_t cudaSetDevice(int device) {
    const emulator::ApiCall this_call("cudaSetDevice");
    const cudaError_t error = emulator::check_device(device);
    const int count = emulator::device_count();
    if (error == cudaErrorInvalidDevice)
        emulator::note_reason((count == 1 ? "There is one device, with the number 0"
                                          : "There are " + std::to_string(count) + " devices, with the numbers 0 to " +
                                                std::to_string(count - 1)) +
                              ", and number " + std::to_string(device) + " is asked for.");
    if (error == cudaSuccess) emulator::set_current_device(device);
    return set_last_error(this_call.ended(error));
}

cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
    return set_last_error(emulator::check_device(device));
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
    if (properties == nullptr) return set_last_error(cudaErrorInvalidValue);
    return emulator::answer(device, 0);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (const cudaError_t error = emulator::check_device(device)) return set_last_error(error);
    return emulator::answer(properties, emulator::properties_of(device));
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    if (const cudaError_t error = emulator::check_device(device)) return set_last_error(error);
    const std::optional<int> known = emulator::attribute_value(attribute, emulator::properties_of(device));
    if (!known) return set_last_error(cudaErrorInvalidValue);
    return emulator::answer(value, *known);
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
    if (const cudaError_t error = emulator::check_device(device)) return set_last_error(error);
    if (text == nullptr) return set_last_error(cudaErrorInvalidValue);
    const cudaDeviceProp p = emulator::properties_of(device);
    std::array<char, 32> id{};
    const int needed =
        std::snprintf(id.data(), id.size(), "%04X:%02X:%02X.0", p.pciDomainID, p.pciBusID, p.pciDeviceID);
    if (length <= needed) return set_last_error(cudaErrorInvalidValue);
    std::strcpy(text, id.data());
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
    unsigned domain = 0, bus = 0, number = 0;
    if (text == nullptr) return set_last_error(cudaErrorInvalidValue);
    if (std::sscanf(text, "%x:%x:%x", &domain, &bus, &number) != 3) return set_last_error(cudaErrorInvalidValue);
    for (int each = 0; each < emulator::device_count(); ++each) {
        const cudaDeviceProp p = emulator::properties_of(each);
        if (std::tuple(static_cast<int>(domain), static_cast<int>(bus), static_cast<int>(number)) ==
            std::tuple(p.pciDomainID, p.pciBusID, p.pciDeviceID))
            return emulator::answer(device, each);
    }
    return set_last_error(emulator::device_count() == 0 ? cudaErrorNoDevice : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    if (const cudaError_t error = emulator::check_devices(device, peer)) return set_last_error(error);
    return emulator::answer(can, device != peer ? 1 : 0);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
    if (const cudaError_t error = emulator::check_device(peer)) return set_last_error(error);
    if (flags != 0) return set_last_error(cudaErrorInvalidValue);
    const int device = emulator::current_device();
    if (peer == device) return set_last_error(cudaErrorPeerAccessUnsupported);
    return emulator::api(
        [&] {
            if (emulator::can_reach(device, peer)) return cudaErrorPeerAccessAlreadyEnabled;
            emulator::set_peer_access(device, peer, true);
            return cudaSuccess;
        },
        "cudaDeviceEnablePeerAccess");
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer) {
    if (value == nullptr || attribute < cudaDevP2PAttrPerformanceRank ||
        attribute > cudaDevP2PAttrOnlyPartialNativeAtomicSupported)
        return set_last_error(cudaErrorInvalidValue);
    if (const cudaError_t error = emulator::check_devices(device, peer)) return set_last_error(error);
    if (device == peer) return set_last_error(cudaErrorInvalidDevice);  // A device has no link to itself.
    const bool has = attribute == cudaDevP2PAttrAccessSupported || attribute == cudaDevP2PAttrNativeAtomicSupported;
    return emulator::answer(value, has ? 1 : 0);  // All links are alike, and there are no CUDA arrays.
}

cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const cudaAtomicOperation* operations,
                                               unsigned int count, int device, int peer) {
    if (capabilities == nullptr || operations == nullptr || count == 0) return set_last_error(cudaErrorInvalidValue);
    for (unsigned int i = 0; i < count; ++i)
        if (operations[i] < cudaAtomicOperationIntegerAdd || operations[i] > cudaAtomicOperationFloatMax)
            return set_last_error(cudaErrorInvalidValue);
    if (const cudaError_t error = emulator::check_devices(device, peer)) return set_last_error(error);
    if (device == peer) return set_last_error(cudaErrorInvalidDevice);
    std::transform(operations, operations + count, capabilities, emulator::peer_atomics);
    return cudaSuccess;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    if (const cudaError_t error = emulator::check_device(peer)) return set_last_error(error);
    const int device = emulator::current_device();
    if (peer == device || !emulator::can_reach(device, peer)) return set_last_error(cudaErrorPeerAccessNotEnabled);
    return emulator::api(
        [&] {
            emulator::finish_all();
            emulator::set_peer_access(device, peer, false);
            return cudaSuccess;
        },
        "cudaDeviceDisablePeerAccess");
}

cudaError_t cudaDriverGetVersion(int* version) {
    if (version == nullptr) return set_last_error(cudaErrorInvalidValue);
    *version = emulator::cuda_version;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    return cudaDriverGetVersion(version);
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
    const std::lock_guard lock(emulator::choices().mutex);
    return emulator::answer(flags, emulator::choices().flags | cudaDeviceMapHost);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    const unsigned schedule = flags & cudaDeviceScheduleMask;
    if ((flags & ~cudaDeviceMask) != 0 || (schedule & (schedule - 1)) != 0)
        return set_last_error(cudaErrorInvalidValue);
    const std::lock_guard lock(emulator::choices().mutex);
    return emulator::answer(&emulator::choices().flags, flags);
}

// Those below ask the context and not the device: after a kernel has failed they answer with its error.

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (emulator::device_count() == 0) return set_last_error(cudaErrorNoDevice);
    if (const cudaError_t error = emulator::sticky_error()) return set_last_error(error);
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = emulator::greatest_priority;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    cudaError_t error = emulator::sticky_error();
    if (error != cudaSuccess) return set_last_error(error);
    const std::lock_guard lock(emulator::choices().mutex);
    const std::size_t* setting = emulator::limit_setting(limit, &error);
    if (setting == nullptr) return set_last_error(error);
    return emulator::answer(value, *setting);
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    cudaError_t error = emulator::sticky_error();
    if (error != cudaSuccess) return set_last_error(error);
    const std::lock_guard lock(emulator::choices().mutex);
    std::size_t* setting = emulator::limit_setting(limit, &error);
    if (setting == nullptr) return set_last_error(error);
    if (limit == cudaLimitStackSize) {
        if (value > emulator::largest_stack) return set_last_error(cudaErrorInvalidValue);
        value = (value + 15) / 16 * 16;
    }
    if (limit == cudaLimitPersistingL2CacheSize)
        value = std::min(value, static_cast<std::size_t>(emulator::device_properties().persistingL2CacheMaxSize));
    return emulator::answer(setting, value);
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    if (const cudaError_t error = emulator::sticky_error()) return set_last_error(error);
    const std::lock_guard lock(emulator::choices().mutex);
    return emulator::answer(config, emulator::choices().cache);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
    if (const cudaError_t error = emulator::sticky_error()) return set_last_error(error);
    if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual)
        return set_last_error(cudaErrorInvalidValue);
    const std::lock_guard lock(emulator::choices().mutex);
    return emulator::answer(&emulator::choices().cache, config);
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    if (const cudaError_t error = emulator::sticky_error()) return set_last_error(error);
    return emulator::answer(config, cudaSharedMemBankSizeFourByte);
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
    if (const cudaError_t error = emulator::sticky_error()) return set_last_error(error);
    if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte)
        return set_last_error(cudaErrorInvalidValue);
    return cudaSuccess;
}
