#pragma once

#include <cstddef>

#include "emulator/device.h"
#include "emulator/runtime_api.h"
#include "emulator/types.h"
#include "emulator/warp.h"

// What older toolkits had and CUDA 13 has no longer, for programs that were written then. The compiler warns of each
// use and names what to write today.

#define EMULATOR_GONE(today) [[deprecated("gone from CUDA 13, where it is " today)]]

EMULATOR_GONE("cudaDeviceSynchronize()")
inline cudaError_t cudaThreadSynchronize() {
    return cudaDeviceSynchronize();
}
EMULATOR_GONE("cudaDeviceReset()")
inline cudaError_t cudaThreadExit() {
    return cudaDeviceReset();
}
EMULATOR_GONE("cudaDeviceGetLimit()")
inline cudaError_t cudaThreadGetLimit(std::size_t* value, cudaLimit limit) {
    return cudaDeviceGetLimit(value, limit);
}
EMULATOR_GONE("cudaDeviceSetLimit()")
inline cudaError_t cudaThreadSetLimit(cudaLimit limit, std::size_t value) {
    return cudaDeviceSetLimit(limit, value);
}
EMULATOR_GONE("cudaDeviceGetCacheConfig()")
inline cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
    return cudaDeviceGetCacheConfig(config);
}
EMULATOR_GONE("cudaDeviceSetCacheConfig()")
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
    return cudaDeviceSetCacheConfig(config);
}

// A device's number, or cudaCpuDeviceId, where CUDA 13 takes a location.
namespace emulator {
inline cudaMemLocation location_of(int device) {
    if (device == cudaCpuDeviceId) return {cudaMemLocationTypeHost, 0};
    return {cudaMemLocationTypeDevice, device};
}
}  // namespace emulator

EMULATOR_GONE("cudaMemPrefetchAsync(pointer, bytes, cudaMemLocation{...}, 0, stream)")
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device,
                                        cudaStream_t stream = nullptr) {
    return cudaMemPrefetchAsync(pointer, bytes, ::emulator::location_of(device), 0, stream);
}
EMULATOR_GONE("cudaMemAdvise(pointer, bytes, advice, cudaMemLocation{...})")
inline cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise(pointer, bytes, advice, ::emulator::location_of(device));
}

// Warp functions without a mask took the lanes that came along together. Templates, since programs from before these
// had all types bring functions of their own for the missing ones, and those shall win.
#define EMULATOR_OLD_SHUFFLE(name, Source)                                  \
    template <class T>                                                      \
    EMULATOR_GONE(#name "_sync(mask, ...)")                                 \
    EMULATOR_INLINE auto name(T value, Source source, int width = warpSize) \
        ->decltype(name##_sync(0u, value, source)) {                        \
        return name##_sync(__activemask(), value, source, width);           \
    }
EMULATOR_OLD_SHUFFLE(__shfl, int)
EMULATOR_OLD_SHUFFLE(__shfl_up, unsigned)
EMULATOR_OLD_SHUFFLE(__shfl_down, unsigned)
EMULATOR_OLD_SHUFFLE(__shfl_xor, int)
#undef EMULATOR_OLD_SHUFFLE

EMULATOR_GONE("__any_sync(mask, predicate)") EMULATOR_INLINE int __any(int predicate) {
    return __any_sync(__activemask(), predicate);
}
EMULATOR_GONE("__all_sync(mask, predicate)") EMULATOR_INLINE int __all(int predicate) {
    return __all_sync(__activemask(), predicate);
}
EMULATOR_GONE("__ballot_sync(mask, predicate)") EMULATOR_INLINE unsigned __ballot(int predicate) {
    return __ballot_sync(__activemask(), predicate);
}

#undef EMULATOR_GONE
