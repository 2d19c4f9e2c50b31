#pragma once

namespace emulator {

namespace detail {
/// Whether a thread of a kernel is running here.
bool in_kernel();
}  // namespace detail

/// What NV_IS_DEVICE says. Constants are the host's.
constexpr bool is_device_code() {
    return !__builtin_is_constant_evaluated() && detail::in_kernel();
}

}  // namespace emulator
