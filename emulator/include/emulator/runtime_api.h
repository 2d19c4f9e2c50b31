#pragma once

#include <cstddef>
#include <type_traits>

#include "emulator/device.h"
#include "emulator/engine.h"
#include "emulator/types.h"

// The runtime API: memory, copies, streams, events, functions. Names, arguments and errors are CUDA's. A launch and a
// copy have ended when the call returns, whatever the stream: a schedule that a device could also have chosen.

// ------------------------------------------------------------------------------------------------------------- memory

inline constexpr unsigned int cudaHostAllocDefault = 0x00;
inline constexpr unsigned int cudaHostAllocPortable = 0x01;
inline constexpr unsigned int cudaHostAllocMapped = 0x02;
inline constexpr unsigned int cudaHostAllocWriteCombined = 0x04;

inline constexpr unsigned int cudaHostRegisterDefault = 0x00;
inline constexpr unsigned int cudaHostRegisterPortable = 0x01;
inline constexpr unsigned int cudaHostRegisterMapped = 0x02;
inline constexpr unsigned int cudaHostRegisterIoMemory = 0x04;
inline constexpr unsigned int cudaHostRegisterReadOnly = 0x08;

inline constexpr unsigned int cudaMemAttachGlobal = 0x01;
inline constexpr unsigned int cudaMemAttachHost = 0x02;
inline constexpr unsigned int cudaMemAttachSingle = 0x04;

inline constexpr int cudaCpuDeviceId = -1;
inline constexpr int cudaInvalidDeviceId = -2;

struct cudaPitchedPtr {
    void* ptr;
    std::size_t pitch;  ///< bytes from a row to the next
    std::size_t xsize;  ///< of a row, in use
    std::size_t ysize;  ///< rows of a slice
};

/// Width in bytes: without arrays, which the emulator does not have, an element is a byte.
struct cudaExtent {
    std::size_t width, height, depth;
};

struct cudaPos {
    std::size_t x, y, z;
};

inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, std::size_t pitch, std::size_t xsize, std::size_t ysize) {
    return {pointer, pitch, xsize, ysize};
}

inline cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) {
    return {width, height, depth};
}

inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) {
    return {x, y, z};
}

extern "C" {
cudaError_t cudaMalloc(void** pointer, std::size_t bytes);
cudaError_t cudaFree(void* pointer);  ///< also of managed memory
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned int flags = cudaHostAllocDefault);
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int flags);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host);
cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int flags = cudaMemAttachGlobal);
cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height);
cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent);
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
}

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
    return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}

template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned int flags = cudaHostAllocDefault) {
    return cudaMallocHost(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned int flags) {
    return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
    return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}

template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
    return cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}

template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream) {
    return cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}

enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
};

struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void* devicePointer;
    void* hostPointer;
    long reserved[8];
};

extern "C" {
/// For any address: one in ordinary host memory is cudaMemoryTypeUnregistered.
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
}

enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeNone = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2,
    cudaMemLocationTypeHostNuma = 3,
    cudaMemLocationTypeHostNumaCurrent = 4
};

struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};

enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
};

extern "C" {
// Managed memory is in one place here: there is nothing to move and nothing to advise, but the arguments are checked.
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location, unsigned int flags,
                                 cudaStream_t stream = nullptr);
cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location);

/// n ranges in one call. Location k holds from range firsts[k] on; firsts[0] is 0. The legacy default stream is
/// refused.
cudaError_t cudaMemPrefetchBatchAsync(void** pointers, std::size_t* sizes, std::size_t n, cudaMemLocation* locations,
                                      std::size_t* firsts, std::size_t n_locations, unsigned long long flags,
                                      cudaStream_t stream);

/// Who may touch managed memory while kernels run: nobody else does here.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t bytes = 0,
                                     unsigned int flags = cudaMemAttachSingle);
}
template <class T>
cudaError_t cudaMemPrefetchBatchAsync(T** pointers, std::size_t* sizes, std::size_t n, cudaMemLocation* locations,
                                      std::size_t* firsts, std::size_t n_locations, unsigned long long flags,
                                      cudaStream_t stream) {
    return cudaMemPrefetchBatchAsync(reinterpret_cast<void**>(pointers), sizes, n, locations, firsts, n_locations,
                                     flags, stream);
}
template <class T>
cudaError_t cudaMemPrefetchBatchAsync(T** pointers, std::size_t* sizes, std::size_t n, cudaMemLocation location,
                                      unsigned long long flags, cudaStream_t stream) {
    std::size_t first = 0;
    return cudaMemPrefetchBatchAsync(pointers, sizes, n, &location, &first, 1, flags, stream);
}
extern "C" {

// ------------------------------------------------------------------------------------------------------ copies, fills

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
/// From the memory of one device to another's, or to its own.
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* to, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream = nullptr);

// Rows of `width` bytes, `pitch` bytes from each to the next.
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height);
cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream = nullptr);
}

enum cudaMemcpyFlags { cudaMemcpyFlagDefault = 0, cudaMemcpyFlagPreferOverlapWithCompute = 1 };

/// When a copy of a batch may read its source.
enum cudaMemcpySrcAccessOrder {
    cudaMemcpySrcAccessOrderInvalid = 0,
    cudaMemcpySrcAccessOrderStream = 1,
    cudaMemcpySrcAccessOrderDuringApiCall = 2,  ///< only before the call returns: the source may change right after it
    cudaMemcpySrcAccessOrderAny = 3
};

struct cudaMemcpyAttributes {
    cudaMemcpySrcAccessOrder srcAccessOrder;
    cudaMemLocation srcLocHint, dstLocHint;
    unsigned int flags;
};

extern "C" {
/// n copies in one call. Attribute k holds from copy firsts[k] on; firsts[0] is 0. The legacy default stream is
/// refused.
cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const std::size_t* sizes, std::size_t n,
                                 cudaMemcpyAttributes* attributes, std::size_t* firsts, std::size_t n_attributes,
                                 cudaStream_t stream);
}
template <class T, class U>
cudaError_t cudaMemcpyBatchAsync(T* const* to, U* const* from, const std::size_t* sizes, std::size_t n,
                                 cudaMemcpyAttributes* attributes, std::size_t* firsts, std::size_t n_attributes,
                                 cudaStream_t stream) {
    return cudaMemcpyBatchAsync(reinterpret_cast<void* const*>(to), reinterpret_cast<const void* const*>(from), sizes,
                                n, attributes, firsts, n_attributes, stream);
}
template <class T, class U>
cudaError_t cudaMemcpyBatchAsync(T* const* to, U* const* from, const std::size_t* sizes, std::size_t n,
                                 cudaMemcpyAttributes attributes, cudaStream_t stream) {
    std::size_t first = 0;
    return cudaMemcpyBatchAsync(to, from, sizes, n, &attributes, &first, 1, stream);
}

struct cudaArray;  // not supported
using cudaArray_t = cudaArray*;

struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};

extern "C" {
/// Between pitched pointers; cudaErrorNotSupported with an array.
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream = nullptr);
}

// ------------------------------------------------------------------------------------------------------------ symbols

namespace emulator {

/// A variable of the device, by its name in the program. Without a size, as `extern __constant__ float c[];`, it may
/// reach to the end of all such variables.
struct Symbol {
    const void* address;
    std::size_t bytes;  ///< 0 if unknown
};

template <class T, std::enable_if_t<!std::is_array_v<T> || std::extent_v<T> != 0, int> = 0>
Symbol symbol_of(const T& variable) {
    return {const_cast<const char*>(&reinterpret_cast<const volatile char&>(variable)), sizeof(T)};
}

template <class T>
Symbol symbol_of(const T (&variable)[]) {
    return {&reinterpret_cast<const char&>(variable), 0};
}

/// Tells the runtime that a variable of a template is the device's.
void add_variable(Symbol symbol);

template <auto& variable>
inline const bool added_variable = (add_variable(symbol_of(variable)), true);

/// The variable, of which the runtime is told before main() begins.
template <auto& variable>
constexpr auto& of_template() {
    static_cast<void>(&added_variable<variable>);
    return variable;
}

cudaError_t copy_to_symbol(Symbol symbol, const void* from, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                           cudaStream_t stream);
cudaError_t copy_from_symbol(void* to, Symbol symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                             cudaStream_t stream);
/// cudaMemcpy() where the host names an array at one end or at both.
cudaError_t copy_named(void* to, bool names_to, const void* from, bool names_from, std::size_t bytes,
                       cudaMemcpyKind kind);
/// What the host has as the address of a variable of the device, __managed__ ones aside: nothing that a kernel can use.
const void* address_on_host(const volatile void* variable);

/// An argument of a launch: the name of a variable, or its address.
template <class T>
decltype(auto) on_host(T&& variable) {
    if constexpr (std::is_lvalue_reference_v<T> && !std::is_array_v<std::remove_reference_t<T>>)
        return static_cast<T>(variable);
    else
        return static_cast<std::decay_t<T>>(const_cast<void*>(address_on_host(variable)));
}

cudaError_t symbol_address(void** pointer, Symbol symbol);
cudaError_t symbol_size(std::size_t* bytes, Symbol symbol);

}  // namespace emulator

// All answer cudaErrorInvalidSymbol for what is no __device__, __constant__ or __managed__ variable. Constants of other
// types than arithmetic ones are ordinary constants to the emulator: kernels read them, but they are no symbols.

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return emulator::copy_to_symbol(emulator::symbol_of(symbol), from, bytes, offset, kind, nullptr);
}

template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr) {
    return emulator::copy_to_symbol(emulator::symbol_of(symbol), from, bytes, offset, kind, stream);
}

// The name of a variable of the device is no pointer to it on the host: cudaErrorInvalidValue.
template <class T, std::size_t n>
cudaError_t cudaMemcpy(T (&to)[n], const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return emulator::copy_named(to, true, from, false, bytes, kind);
}

template <class T, std::size_t n>
cudaError_t cudaMemcpy(void* to, const T (&from)[n], std::size_t bytes, cudaMemcpyKind kind) {
    return emulator::copy_named(to, false, from, true, bytes, kind);
}

template <class T, std::size_t n, class U, std::size_t m>
cudaError_t cudaMemcpy(T (&to)[n], const U (&from)[m], std::size_t bytes, cudaMemcpyKind kind) {
    return emulator::copy_named(to, true, from, true, bytes, kind);
}

template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return emulator::copy_from_symbol(to, emulator::symbol_of(symbol), bytes, offset, kind, nullptr);
}

template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr) {
    return emulator::copy_from_symbol(to, emulator::symbol_of(symbol), bytes, offset, kind, stream);
}

template <class T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
    return emulator::symbol_address(pointer, emulator::symbol_of(symbol));
}

template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol) {
    return emulator::symbol_size(bytes, emulator::symbol_of(symbol));
}

// ---------------------------------------------------------------------------------------------------- streams, events

inline constexpr unsigned int cudaStreamDefault = 0x00;
inline constexpr unsigned int cudaStreamNonBlocking = 0x01;
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(2))

namespace emulator {
/// From now on stream 0 is cudaStreamPerThread, in the whole program.
bool use_default_streams_of_threads();
}  // namespace emulator

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM  // nvcc --default-stream per-thread
namespace emulator {
inline const bool default_streams_are_of_threads = use_default_streams_of_threads();
}
#endif

inline constexpr unsigned int cudaEventDefault = 0x00;
inline constexpr unsigned int cudaEventBlockingSync = 0x01;
inline constexpr unsigned int cudaEventDisableTiming = 0x02;
inline constexpr unsigned int cudaEventInterprocess = 0x04;
inline constexpr unsigned int cudaEventRecordDefault = 0x00;
inline constexpr unsigned int cudaEventRecordExternal = 0x01;
inline constexpr unsigned int cudaEventWaitDefault = 0x00;
inline constexpr unsigned int cudaEventWaitExternal = 0x01;

using cudaHostFn_t = void (*)(void* data);
using cudaStreamCallback_t = void (*)(cudaStream_t stream, cudaError_t status, void* data);

extern "C" {
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();

/// Any priority is taken and becomes 0, the only one there is.
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device);

/// The function is called before these return, by the calling thread. CUDA calls that it makes are
/// cudaErrorNotPermitted.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int flags);

cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned int flags = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop);
}

inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
    return cudaEventCreateWithFlags(event, flags);
}
