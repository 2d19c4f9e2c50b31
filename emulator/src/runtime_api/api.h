#pragma once

#include <optional>

#include "../checked/api_calls.h"
#include "../reports/error_state.h"
#include "../reports/printed.h"
#include "emulator/device.h"

namespace emulator {

/// True while the calling thread runs a function that cudaLaunchHostFunc() was given.
bool in_host_function();

/// A call of the runtime API, `name`. It first meets the error that a kernel may have left behind.
template <class Call>
cudaError_t api(Call call, const char* name = __builtin_FUNCTION()) {
    const ApiCall this_call(name);
    const auto answer = [&] {
        if (device_count() == 0) return cudaErrorNoDevice;
        if (in_host_function()) return cudaErrorNotPermitted;
        const cudaError_t sticky = sticky_error();
        return sticky != cudaSuccess ? sticky : call();
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

/// Of a stream; the least is 0. They are kept and change nothing, since streams have their turns.
constexpr int greatest_priority = -5;

/// Nothing if CUDA has no such attribute.
std::optional<int> attribute_value(cudaDeviceAttr attribute);

/// Destroys all streams and events; forgets what was set for kernels (cudaDeviceReset).
void forget_streams();
void forget_functions();

}  // namespace emulator
