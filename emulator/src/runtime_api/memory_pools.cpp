// Pools of memory, and memory that comes and goes in the order of a stream.

#include "memory_pools.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>

#include "../checked/host/stream_order.h"
#include "../engine/fault_handler.h"
#include "../graphs/capture.h"
#include "../memory/devices.h"
#include "../memory/memory.h"
#include "api.h"

namespace emulator {

struct MemoryPool {
    int device = 0;
    std::size_t most = 0;                     // bytes; 0: no limit
    std::array<int, 4> reuse = {0, 1, 1, 1};  // by attribute
    std::uint64_t threshold = 0, used_high = 0;
    std::map<const void*, std::size_t> allocations{};

    // Memory that cudaFree() has freed is known by not being there.
    std::uint64_t used() {
        std::erase_if(allocations, [](const auto& each) { return allocated_at(each.first) != each.second; });
        std::uint64_t bytes = 0;
        for (const auto& [pointer, size] : allocations) bytes += size;
        return bytes;
    }
};

namespace {

struct Pools {
    std::mutex mutex;
    std::deque<MemoryPool> of_devices;  // the default ones
    std::set<MemoryPool*> made;
    std::map<int, MemoryPool*> current;  // those that are not the default one
};

Pools& pools() {
    static auto& all = *new Pools;
    return all;
}

MemoryPool* default_pool(int device) {
    auto& all = pools().of_devices;
    while (all.size() <= static_cast<std::size_t>(device)) {
        all.emplace_back();
        all.back().device = static_cast<int>(all.size()) - 1;
    }
    return &all[static_cast<std::size_t>(device)];
}

bool is_default(const MemoryPool* pool) {
    return std::ranges::any_of(pools().of_devices, [&](const MemoryPool& each) { return &each == pool; });
}

bool is_pool(MemoryPool* pool) {
    return is_default(pool) || pools().made.contains(pool);
}

MemoryPool* pool_of(int device) {
    const auto found = pools().current.find(device);
    return found == pools().current.end() ? default_pool(device) : found->second;
}

bool is_device(int device) {
    return device >= 0 && device < device_count();
}

cudaMemAllocNodeParams of_graph(int device, std::size_t bytes) {
    cudaMemAllocNodeParams p{};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location = {cudaMemLocationTypeDevice, device};
    p.bytesize = bytes;
    return p;
}

// Tells the checked build, and frees it.
cudaError_t free_now(void* pointer, cudaStream_t stream) {
    const Work work(stream, "cudaFreeAsync");
    order_touched(pointer, allocated_at(pointer));
    return release(pointer, Space::device);
}

// Calls f(pool), under the lock.
template <class F>
cudaError_t with(MemoryPool* pool, const F& f) {
    const std::lock_guard lock(pools().mutex);
    return is_pool(pool) ? f(*pool) : cudaErrorInvalidValue;
}

}  // namespace

MemoryPool* current_pool(int device) {
    const std::lock_guard lock(pools().mutex);
    return pool_of(device);
}

cudaError_t allocate_in_stream(void** pointer, std::size_t bytes, MemoryPool* pool, cudaStream_t stream) {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (may_capture()) {
        AllocationWork memory;
        if (const cudaError_t error = make(of_graph(device_of_stream(stream), bytes), &memory)) return error;
        if (const auto captured = capture(stream, memory)) {
            *pointer = memory.parameters.dptr;
            return *captured;
        }
    }
    const auto take = [&] {
        return with(pool, [&](MemoryPool& p) {
            if (p.most != 0 && p.used() + bytes > p.most) return cudaErrorMemoryAllocation;
            return allocate(pointer, bytes, Space::device, p.device, 0);
        });
    };
    install_fault_handler();
    const cudaError_t error = allocate_behind_work(take);
    if (error != cudaSuccess || bytes == 0) return error;
    {
        const Work work(stream, "cudaMallocAsync");
        order_touched(*pointer, bytes);
    }
    return with(pool, [&](MemoryPool& p) {
        p.allocations[*pointer] = allocated_at(*pointer);
        p.used_high = std::max(p.used_high, p.used());
        return cudaSuccess;
    });
}

cudaError_t free_in_stream(void* pointer, cudaStream_t stream) {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (may_capture()) {
        const bool is_graphs = is_reserved(pointer);
        if (const auto captured =
                is_graphs ? capture(stream, FreeWork{{}, pointer}) : refuse_in_capture(stream, cudaErrorInvalidValue))
            return *captured;
    }
    const bool can_be_freed = allocated_at(pointer) != 0 && !pinned_flags(pointer);
    if (!can_be_freed) return release(pointer, Space::device);
    if (!streams_queue()) return free_now(pointer, stream);
    queue_work(stream, {.run = [=] { return release(pointer, Space::device); }, .is_bookkeeping = true});
    return cudaSuccess;
}

cudaError_t make(const cudaMemAllocNodeParams& p, AllocationWork* work) {
    const cudaMemLocation& location = p.poolProps.location;
    if (p.bytesize == 0 || p.poolProps.allocType != cudaMemAllocationTypePinned ||
        location.type != cudaMemLocationTypeDevice || !is_device(location.id))
        return cudaErrorInvalidValue;
    install_fault_handler();
    *work = {{}, std::make_shared<ReservedAddress>(p.bytesize, location.id), p};
    work->parameters.dptr = work->memory->pointer();
    return work->parameters.dptr == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t run_allocation(const AllocationWork& allocation, cudaStream_t stream) {
    if (const cudaError_t error = allocation.memory->allocate_there()) return error;
    const Work work(stream, "cudaMallocAsync");
    order_touched(allocation.parameters.dptr, allocation.parameters.bytesize);
    return cudaSuccess;
}

cudaError_t run_free(void* pointer, cudaStream_t stream) {
    return allocated_at(pointer) == 0 ? release(pointer, Space::device) : free_now(pointer, stream);
}

}  // namespace emulator

using namespace emulator;

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
    return api([&] {
        if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
        return allocate_in_stream(pointer, bytes, current_pool(device_of_stream(stream)), stream);
    });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return api([&] { return allocate_in_stream(pointer, bytes, pool, stream); });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return api([&] { return free_in_stream(pointer, stream); });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return api([&] {
        if (pool == nullptr) return cudaErrorInvalidValue;
        if (!is_device(device)) return cudaErrorInvalidDevice;
        const std::lock_guard lock(pools().mutex);
        *pool = default_pool(device);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return api([&] {
        if (pool == nullptr) return cudaErrorInvalidValue;
        if (!is_device(device)) return cudaErrorInvalidDevice;
        *pool = current_pool(device);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    return api([&] {
        if (!is_device(device)) return cudaErrorInvalidDevice;
        return with(pool, [&](const MemoryPool& p) {
            if (p.device != device) return cudaErrorInvalidDevice;
            pools().current[device] = pool;
            return cudaSuccess;
        });
    });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    return api([&] {
        if (pool == nullptr || properties == nullptr) return cudaErrorInvalidValue;
        if (properties->allocType != cudaMemAllocationTypePinned &&
            properties->allocType != cudaMemAllocationTypeManaged)
            return cudaErrorInvalidValue;
        if (properties->allocType != cudaMemAllocationTypePinned || properties->handleTypes != cudaMemHandleTypeNone ||
            properties->location.type != cudaMemLocationTypeDevice) {
            explain("not supported: memory pools other than those of device memory for this process");
            return cudaErrorNotSupported;
        }
        if (!is_device(properties->location.id)) return cudaErrorInvalidValue;
        const std::lock_guard lock(pools().mutex);
        *pool = new MemoryPool{.device = properties->location.id, .most = properties->maxSize};
        pools().made.insert(*pool);
        note_made(*pool, "memory pool");
        return cudaSuccess;
    });
}

// What was allocated from it stays.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    return api([&] {
        return with(pool, [&](const MemoryPool&) {
            if (is_default(pool)) return cudaErrorInvalidValue;
            std::erase_if(pools().current, [&](const auto& each) { return each.second == pool; });
            pools().made.erase(pool);
            note_destroyed(pool);
            delete pool;
            return cudaSuccess;
        });
    });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return api([&] {
        return with(pool, [&](MemoryPool& p) {
            if (value == nullptr) return cudaErrorInvalidValue;
            const auto number = [&] { return *static_cast<const std::uint64_t*>(value); };
            switch (attribute) {
                case cudaMemPoolReuseFollowEventDependencies:
                case cudaMemPoolReuseAllowOpportunistic:
                case cudaMemPoolReuseAllowInternalDependencies:
                    p.reuse[attribute] = *static_cast<const int*>(value) != 0;
                    return cudaSuccess;
                case cudaMemPoolAttrReleaseThreshold:
                    p.threshold = number();
                    return cudaSuccess;
                case cudaMemPoolAttrReservedMemHigh:
                case cudaMemPoolAttrUsedMemHigh:
                    if (number() != 0) return cudaErrorInvalidValue;
                    p.used_high = p.used();
                    return cudaSuccess;
                default:
                    return cudaErrorInvalidValue;
            }
        });
    });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return api([&] {
        return with(pool, [&](MemoryPool& p) {
            if (value == nullptr) return cudaErrorInvalidValue;
            auto& number = *static_cast<std::uint64_t*>(value);
            switch (attribute) {
                case cudaMemPoolReuseFollowEventDependencies:
                case cudaMemPoolReuseAllowOpportunistic:
                case cudaMemPoolReuseAllowInternalDependencies:
                    *static_cast<int*>(value) = p.reuse[attribute];
                    return cudaSuccess;
                case cudaMemPoolAttrReleaseThreshold:
                    number = p.threshold;
                    return cudaSuccess;
                case cudaMemPoolAttrReservedMemCurrent:
                case cudaMemPoolAttrUsedMemCurrent:
                    number = p.used();
                    return cudaSuccess;
                case cudaMemPoolAttrReservedMemHigh:
                case cudaMemPoolAttrUsedMemHigh:
                    number = p.used_high;
                    return cudaSuccess;
            }
            return cudaErrorInvalidValue;
        });
    });
}

// Here nothing is kept of what was freed.
cudaError_t cudaDeviceGraphMemTrim(int device) {
    return api([&] { return is_device(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
    return api([&] { return with(pool, [](const MemoryPool&) { return cudaSuccess; }); });
}
