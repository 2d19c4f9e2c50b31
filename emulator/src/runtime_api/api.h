#pragma once

#include <optional>

#include "../checked/host/api_calls.h"
#include "../reports/error_state.h"
#include "../reports/printed.h"
#include "emulator/device.h"
#include "emulator/graphs.h"
#include "stream_queues.h"

namespace emulator {

struct AllocationWork;
class AnyKernel;

/// True while the calling thread runs a function that cudaLaunchHostFunc() was given.
bool in_host_function();

/// Why a call of that name is refused while streams capture; else cudaSuccess.
cudaError_t check_captures(const char* call);

/// A call of the runtime API, `name`. It first meets the error that a kernel may have left behind.
template <class Call>
cudaError_t api(Call call, const char* name = __builtin_FUNCTION()) {
    const ApiCall this_call(name);
    const auto answer = [&] {
        if (device_count() == 0) return cudaErrorNoDevice;
        if (in_host_function()) return cudaErrorNotPermitted;
        if (const cudaError_t sticky = sticky_error()) return sticky;
        if (const cudaError_t late = take_late_error()) return late;
        if (const cudaError_t refused = check_captures(name)) return refused;
        return call();
    };
    return set_last_error(this_call.ended(answer()));
}

/// For a call that waits for the device: shows what kernels have printed, and makes events ready.
void wait_for_device();

/// A call of the runtime API that waits for kernels.
template <class Call>
cudaError_t waiting_api(Call call, const char* name = __builtin_FUNCTION()) {
    if (!in_host_function()) wait_for_device();
    return api(call, name);
}

/// Whether work may be given to a stream: a live one, or one of the default streams.
bool is_stream(cudaStream_t stream);

/// The same for a batch of n, whose attribute k holds from firsts[k] on; else an error.
cudaError_t check_batch(cudaStream_t stream, std::size_t n, const std::size_t* firsts, std::size_t n_attributes);

/// The stream that 0 stands for is the legacy default stream, or cudaStreamPerThread where a program asks for that; any
/// other stream is itself. Both names of the legacy stream become 0.
cudaStream_t stream_meant(cudaStream_t stream);

/// The device that a live stream belongs to; of a default stream, the current one.
int device_of_stream(cudaStream_t stream);

/// Whether the legacy default stream waits for it.
bool is_blocking(cudaStream_t stream);

bool is_event(cudaEvent_t event);

// What the nodes of a graph do, on the stream that it was launched on.
cudaError_t run_copy(const cudaMemcpy3DParms& parameters, bool is_line, cudaStream_t stream);
cudaError_t run_fill(const cudaMemsetParams& parameters, cudaStream_t stream);
void run_host_function(cudaHostFn_t function, void* data, cudaStream_t stream);
cudaError_t run_allocation(const AllocationWork& allocation, cudaStream_t stream);
cudaError_t run_free(void* pointer, cudaStream_t stream);
cudaError_t run_recording(cudaEvent_t event, cudaStream_t stream);
cudaError_t run_waiting(cudaStream_t stream, cudaEvent_t event);

/// Whether each of the kernel's arguments can be read where the array says that it is; it is explained which cannot.
bool arguments_are_there(const AnyKernel& kernel, void* const* arguments);

/// Of a stream; the least is 0. They are kept and change nothing, since streams have their turns.
constexpr int greatest_priority = -5;

/// Nothing if CUDA has no such attribute.
std::optional<int> attribute_value(cudaDeviceAttr attribute, const cudaDeviceProp& properties);

/// Destroys the device's streams and events; forgets what was set for kernels on it (cudaDeviceReset).
void forget_streams(int device);
void forget_functions(int device);

/// What the heap of the device holds, from which kernels allocate.
std::size_t heap_bytes(int device);

/// cudaErrorNoDevice, cudaErrorInvalidDevice or cudaSuccess.
cudaError_t check_device(int device);

}  // namespace emulator
