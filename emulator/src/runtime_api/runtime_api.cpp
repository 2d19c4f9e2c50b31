// Memory, and the device as a whole. The other calls: copies.cpp, streams.cpp, functions.cpp.

#include "emulator/runtime_api.h"

#include "../checked/host/stream_order.h"
#include "../checked/memory.h"
#include "../engine/fault_handler.h"
#include "../graphs/capture.h"
#include "../memory/devices.h"
#include "../memory/memory.h"
#include "api.h"
#include "observers.h"

namespace emulator {
namespace {

// The host may not touch device memory: from the first allocation on it is told so if it does.
cudaError_t allocate_watched(void** pointer, std::size_t bytes, Space space, unsigned flags = 0) {
    install_fault_handler();
    return allocate_behind_work([&] { return allocate(pointer, bytes, space, current_device(), flags); });
}

cudaError_t allocate_host(void** pointer, std::size_t bytes, unsigned flags) {
    constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    return (flags & ~known) == 0 ? allocate_watched(pointer, bytes, Space::pinned, flags) : cudaErrorInvalidValue;
}

// Slices of `height` rows. Each row begins at a multiple of the texture alignment, as on a device.
cudaError_t allocate_pitched(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height,
                             std::size_t depth) {
    if (pointer == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
    const std::size_t alignment = device_properties().textureAlignment;
    if (width > device_properties().memPitch) return cudaErrorInvalidValue;
    *pitch = (width + alignment - 1) / alignment * alignment;
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(*pitch, height, &bytes) || __builtin_mul_overflow(bytes, depth, &bytes))
        return cudaErrorMemoryAllocation;
    const cudaError_t error = allocate_watched(pointer, bytes, Space::device);
    if (error == cudaSuccess) note_rows(*pointer, *pitch, width);
    return error;
}

// A call that frees waits for all that may use the memory: on a GPU, too.
template <class Call>
cudaError_t freeing_api(Call call, const char* name = __builtin_FUNCTION()) {
    if (!in_host_function()) finish_all();
    return api(call, name);
}

bool is_location(cudaMemLocation location) {
    switch (location.type) {
        case cudaMemLocationTypeDevice:
        case cudaMemLocationTypeHost:
        case cudaMemLocationTypeHostNuma:
        case cudaMemLocationTypeHostNumaCurrent:
            return true;
        case cudaMemLocationTypeInvalid:
            break;
    }
    return false;
}

// What prefetching and advising have in common: a piece of one managed allocation, and a place that exists.
cudaError_t check_managed(const void* pointer, std::size_t bytes, cudaMemLocation location) {
    bool whole = true;
    if (bytes == 0 || !is_location(location)) return cudaErrorInvalidValue;
    if (space_of(pointer, bytes, &whole) != Space::managed || !whole) return cudaErrorInvalidValue;
    return location.type == cudaMemLocationTypeDevice ? check_device(location.id) : cudaSuccess;
}

}  // namespace
}  // namespace emulator

using namespace emulator;

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    tell_observer([&](Observer& told) { bytes = told.allocates(bytes); });
    return api([&] { return allocate_watched(pointer, bytes, Space::device); });
}

cudaError_t cudaFree(void* pointer) {
    return freeing_api([&] {
        tell_observer([](Observer& told) { told.host_waited(); });  // cudaFree() does on a GPU
        order_host_waited_for_device(device_of_memory(pointer).value_or(current_device()));
        return release(pointer, Space::device);
    });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned flags) {
    return api([&] { return allocate_host(pointer, bytes, flags); });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
    return api([&] { return allocate_host(pointer, bytes, flags); });
}

cudaError_t cudaFreeHost(void* pointer) {
    return freeing_api([&] {
        order_host_waited_for_all();  // The same is seen of cudaFreeHost(), though it is not promised.
        return release(pointer, Space::pinned);
    });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
    return api([&] {
        if (device == nullptr || flags != 0 || !pinned_flags(host)) return cudaErrorInvalidValue;
        *device = host;  // Host and kernels share one address space.
        return cudaSuccess;
    });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
    return api([&] {
        const auto known = pinned_flags(host);
        if (flags == nullptr || !known) return cudaErrorInvalidValue;
        *flags = *known | cudaHostAllocMapped;  // All pinned memory is, where there is one address space.
        return cudaSuccess;
    });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
    return api([&] {
        constexpr unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
        if ((flags & cudaHostRegisterIoMemory) != 0) {
            explain("not supported: cudaHostRegisterIoMemory");
            return cudaErrorNotSupported;
        }
        return (flags & ~known) == 0 ? register_host(pointer, bytes, flags, current_device()) : cudaErrorInvalidValue;
    });
}

cudaError_t cudaHostUnregister(void* pointer) {
    return freeing_api([&] { return unregister_host(pointer); });
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
    return api([&] {
        if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
        return allocate_watched(pointer, bytes, Space::managed);
    });
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    return api([&] { return allocate_pitched(pointer, pitch, width, height, 1); });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
    return api([&] {
        if (pitched == nullptr) return cudaErrorInvalidValue;
        cudaPitchedPtr p{nullptr, 0, extent.width, extent.height};
        const cudaError_t error = allocate_pitched(&p.ptr, &p.pitch, extent.width, extent.height, extent.depth);
        if (error == cudaSuccess) *pitched = p;
        return error;
    });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return api([&] {
        if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
        finish_all();  // Some memory may be about to be freed in a stream.
        *free = free_memory(current_device());
        *total = total_memory();
        return cudaSuccess;
    });
}

// Seen on an H100: a question that is answered even after a kernel has failed.
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    const auto answer = [&] {
        if (attributes == nullptr) return cudaErrorInvalidValue;
        bool whole = true;
        auto* p = const_cast<void*>(pointer);
        const int device = device_of_memory(pointer).value_or(current_device());
        switch (space_of(pointer, 1, &whole)) {
            case Space::host:
                *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, p, {}};
                break;
            case Space::device:
                *attributes = {cudaMemoryTypeDevice, device, p, nullptr, {}};
                break;
            case Space::pinned:
                *attributes = {cudaMemoryTypeHost, device, p, p, {}};
                break;
            case Space::managed:
                *attributes = {cudaMemoryTypeManaged, device, p, p, {}};
                break;
        }
        return cudaSuccess;
    };
    return set_last_error(device_count() == 0 ? cudaErrorNoDevice : answer());
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location, unsigned flags,
                                 cudaStream_t stream) {
    return api([&] {
        if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
        return flags == 0 ? check_managed(pointer, bytes, location) : cudaErrorInvalidValue;
    });
}

cudaError_t cudaMemPrefetchBatchAsync(void** pointers, std::size_t* sizes, std::size_t n, cudaMemLocation* locations,
                                      std::size_t* firsts, std::size_t n_locations, unsigned long long flags,
                                      cudaStream_t stream) {
    return api([&] {
        if (const cudaError_t error = check_batch(stream, n, firsts, n_locations)) return error;
        if (pointers == nullptr || sizes == nullptr || locations == nullptr || flags != 0) return cudaErrorInvalidValue;
        for (std::size_t i = 0, k = 0; i < n; ++i) {
            if (k + 1 < n_locations && firsts[k + 1] == i) ++k;
            if (const cudaError_t error = check_managed(pointers[i], sizes[i], locations[k])) return error;
        }
        return cudaSuccess;
    });
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) {
    return api([&] {
        if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) return cudaErrorInvalidValue;
        // These three mean the same wherever the memory is.
        const bool anywhere = advice == cudaMemAdviseSetReadMostly || advice == cudaMemAdviseUnsetReadMostly ||
                              advice == cudaMemAdviseUnsetPreferredLocation;
        return check_managed(pointer, bytes, anywhere ? cudaMemLocation{cudaMemLocationTypeHost, 0} : location);
    });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t bytes, unsigned flags) {
    return api([&] {
        if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
        const bool known = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
        if (!known || (flags == cudaMemAttachSingle && stream == nullptr)) return cudaErrorInvalidValue;
        const std::size_t whole = allocated_at(pointer);
        if (whole == 0 || (bytes != 0 && bytes != whole)) return cudaErrorInvalidValue;
        return check_managed(pointer, whole, {cudaMemLocationTypeHost, 0});
    });
}

cudaError_t cudaDeviceSynchronize() {
    if (!in_host_function()) finish_device(current_device());
    return waiting_api([] {
        tell_observer([](Observer& told) { told.host_waited(); });
        order_host_waited_for_device(current_device());
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceReset() {
    const int device = current_device();
    finish_all();
    show_printed();
    release_all(device);
    forget_streams(device);
    forget_functions(device);
    forget_peers(device);
    clear_sticky_error(device);
    return cudaSuccess;
}
