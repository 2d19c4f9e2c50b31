#include "emulator/runtime_api.h"

#include <chrono>
#include <cstring>
#include <mutex>
#include <set>

#include "emulator/device.h"
#include "emulator/error.h"
#include "emulator/memory.h"

namespace emulator {

struct Stream {};

struct Event {
    bool recorded = false;
    std::chrono::steady_clock::time_point time;
};

namespace {

// Every call first meets the error that a kernel may have left behind.
template <class Call>
cudaError_t api(Call call) {
    if (device_count() == 0) return set_last_error(cudaErrorNoDevice);
    const cudaError_t sticky = sticky_error();
    return set_last_error(sticky != cudaSuccess ? sticky : call());
}

// The handles that a program holds, so that one that was destroyed, or never was, is an error and not a crash.
template <class T>
class Handles {
  public:
    T* create() {
        auto* handle = new T;
        const std::lock_guard lock(mutex_);
        live_.insert(handle);
        return handle;
    }

    bool destroy(T* handle) {
        const std::lock_guard lock(mutex_);
        if (live_.erase(handle) == 0) return false;
        delete handle;
        return true;
    }

    bool contains(T* handle) {
        const std::lock_guard lock(mutex_);
        return live_.count(handle) > 0;
    }

  private:
    std::mutex mutex_;
    std::set<T*> live_;
};

Handles<Stream> streams;
Handles<Event> events;

bool is_stream(cudaStream_t stream) {
    return stream == nullptr || streams.contains(stream);
}

const char* name_of(cudaMemcpyKind kind) {
    switch (kind) {
        case cudaMemcpyHostToHost:
            return "cudaMemcpyHostToHost";
        case cudaMemcpyHostToDevice:
            return "cudaMemcpyHostToDevice";
        case cudaMemcpyDeviceToHost:
            return "cudaMemcpyDeviceToHost";
        case cudaMemcpyDeviceToDevice:
            return "cudaMemcpyDeviceToDevice";
        case cudaMemcpyDefault:
            return "cudaMemcpyDefault";
    }
    return nullptr;
}

// One end of a copy: does all of it exist, and is it device memory if the direction needs that?
bool end_fits(const char* end, const void* pointer, std::size_t bytes, bool must_be_device, cudaMemcpyKind kind) {
    bool whole = true;
    const Space space = space_of(pointer, bytes, &whole);
    if (!whole) {
        explain("cudaMemcpy: %zu bytes do not fit: the %s begins %s", bytes, end,
                describe_address(reinterpret_cast<std::uintptr_t>(pointer)).c_str());
        return false;
    }
    if (!must_be_device || space != Space::host) return true;
    explain("cudaMemcpy: %s says that the %s is in device memory, but it is in the host's", name_of(kind), end);
    return false;
}

// Seen on an H100: only an end that the direction calls "device" is looked at, an end called "host" may be either.
cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    if (name_of(kind) == nullptr) return cudaErrorInvalidMemcpyDirection;
    if (bytes == 0) return cudaSuccess;
    if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (!end_fits("destination", to, bytes, to_device, kind) || !end_fits("source", from, bytes, from_device, kind))
        return cudaErrorInvalidValue;
    const HostAccess source(from), destination(to);
    std::memmove(to, from, bytes);
    return cudaSuccess;
}

cudaError_t fill(void* to, int value, std::size_t bytes) {
    if (bytes == 0) return cudaSuccess;
    bool whole = true;
    if (space_of(to, bytes, &whole) == Space::host || !whole) return cudaErrorInvalidValue;
    const HostAccess destination(to);
    std::memset(to, value, bytes);
    return cudaSuccess;
}

}  // namespace
}  // namespace emulator

using namespace emulator;

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    return api([&] { return allocate(pointer, bytes, Space::device); });
}

cudaError_t cudaFree(void* pointer) {
    return api([&] { return release(pointer, Space::device); });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
    return api([&] { return allocate(pointer, bytes, Space::pinned); });
}

cudaError_t cudaFreeHost(void* pointer) {
    return api([&] { return release(pointer, Space::pinned); });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return api([&] {
        if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
        *free = free_memory();
        *total = total_memory();
        return cudaSuccess;
    });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return api([&] {
        if (attributes == nullptr) return cudaErrorInvalidValue;
        bool whole = true;
        auto* p = const_cast<void*>(pointer);
        switch (space_of(pointer, 1, &whole)) {
            case Space::host:
                *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, p};
                break;
            case Space::device:
                *attributes = {cudaMemoryTypeDevice, 0, p, nullptr};
                break;
            case Space::pinned:
                *attributes = {cudaMemoryTypeHost, 0, p, p};
                break;
        }
        return cudaSuccess;
    });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return api([&] { return copy(to, from, bytes, kind); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return api([&] { return is_stream(stream) ? copy(to, from, bytes, kind) : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
    return api([&] { return fill(to, value, bytes); });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
    return api([&] { return is_stream(stream) ? fill(to, value, bytes) : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaDeviceSynchronize() {
    return api([] { return cudaSuccess; });
}

cudaError_t cudaDeviceReset() {
    release_all();
    clear_sticky_error();
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return api([&] {
        if (stream == nullptr) return cudaErrorInvalidValue;
        *stream = streams.create();
        return cudaSuccess;
    });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return api([&] { return streams.destroy(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return api([&] { return is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return api([&] {
        if (event == nullptr) return cudaErrorInvalidValue;
        *event = events.create();
        return cudaSuccess;
    });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return api([&] { return events.destroy(event) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return api([&] {
        if (!events.contains(event) || !is_stream(stream)) return cudaErrorInvalidResourceHandle;
        event->recorded = true;
        event->time = std::chrono::steady_clock::now();
        return cudaSuccess;
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return api([&] { return events.contains(event) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
    return api([&] {
        if (milliseconds == nullptr) return cudaErrorInvalidValue;
        if (!events.contains(start) || !events.contains(stop) || !start->recorded || !stop->recorded)
            return cudaErrorInvalidResourceHandle;
        *milliseconds = std::chrono::duration<float, std::milli>(stop->time - start->time).count();
        return cudaSuccess;
    });
}
