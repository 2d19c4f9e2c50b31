#pragma once

#include <type_traits>

#include "emulator/ordered_atomics.h"

// The atomic functions that nvcc has built in since CUDA 12.8.

template <class T>
EMULATOR_ATOMIC_FACE T __nv_atomic_load_n(T* address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return ::emulator::atomics::ordered_load(address, order, scope);
}
template <class T>
EMULATOR_ATOMIC_FACE T __nv_atomic_exchange_n(T* address, ::emulator::atomics::Same<T> value, int order,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return ::emulator::atomics::ordered_exchange(address, value, order, scope);
}
template <class T>
EMULATOR_ATOMIC_FACE void __nv_atomic_store_n(T* address, ::emulator::atomics::Same<T> value, int order,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
    ::emulator::atomics::ordered_store(address, value, order, scope);
}
template <class T>
EMULATOR_ATOMIC_FACE bool __nv_atomic_compare_exchange_n(T* address, T* expected, ::emulator::atomics::Same<T> desired,
                                                         bool, int order, int failure,
                                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return ::emulator::atomics::ordered_compare_exchange(address, *expected, desired, order, failure, scope);
}

// The same with values in memory.
template <class T>
EMULATOR_ATOMIC_FACE void __nv_atomic_load(T* address, T* result, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    *result = __nv_atomic_load_n(address, order, scope);
}
template <class T>
EMULATOR_ATOMIC_FACE void __nv_atomic_store(T* address, T* value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    __nv_atomic_store_n(address, *value, order, scope);
}
template <class T>
EMULATOR_ATOMIC_FACE void __nv_atomic_exchange(T* address, T* value, T* result, int order,
                                               int scope = __NV_THREAD_SCOPE_SYSTEM) {
    *result = __nv_atomic_exchange_n(address, *value, order, scope);
}
template <class T>
EMULATOR_ATOMIC_FACE bool __nv_atomic_compare_exchange(T* address, T* expected, T* desired, bool weak, int success,
                                                       int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return __nv_atomic_compare_exchange_n(address, expected, *desired, weak, success, failure, scope);
}

#define EMULATOR_NV_ATOMIC(name, how, condition)                                                               \
    template <class T>                                                                                         \
    EMULATOR_ATOMIC_FACE T __nv_atomic_fetch_##name(T* address, ::emulator::atomics::Same<T> value, int order, \
                                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {                    \
        static_assert((sizeof(T) == 4 || sizeof(T) == 8) && std::condition<T>, "as with nvcc");                \
        ::emulator::atomics::begin<T>(address, order, scope, ::emulator::AtomicUse::update,                    \
                                      ::emulator::atomics::change_by(#how, T(value)));                         \
        return ::emulator::atomics::seen(::emulator::atomics::how(address, value));                            \
    }                                                                                                          \
    template <class T>                                                                                         \
    EMULATOR_ATOMIC_FACE void __nv_atomic_##name(T* address, ::emulator::atomics::Same<T> value, int order,    \
                                                 int scope = __NV_THREAD_SCOPE_SYSTEM) {                       \
        __nv_atomic_fetch_##name(address, value, order, scope);                                                \
    }
EMULATOR_NV_ATOMIC(add, add, is_arithmetic_v)
EMULATOR_NV_ATOMIC(sub, subtract_any, is_arithmetic_v)
EMULATOR_NV_ATOMIC(and, bit_and, is_integral_v)
EMULATOR_NV_ATOMIC(or, bit_or, is_integral_v)
EMULATOR_NV_ATOMIC(xor, bit_xor, is_integral_v)
EMULATOR_NV_ATOMIC(min, minimum, is_integral_v)
EMULATOR_NV_ATOMIC(max, maximum, is_integral_v)
#undef EMULATOR_NV_ATOMIC

EMULATOR_INLINE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    ::emulator::atomics::ordered_fence(order, scope);
}
