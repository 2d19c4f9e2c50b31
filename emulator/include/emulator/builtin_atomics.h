#pragma once

#include <type_traits>

#include "emulator/atomics.h"

// The atomic functions that nvcc has built in since CUDA 12.8. Here each is sequentially consistent, which is more than
// any order asks for; order and scope tell the checked build who may meet there, and what else that puts in order.

enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

namespace emulator::atomics {

inline bool meets_other_blocks(int scope) {
    return scope != __NV_THREAD_SCOPE_THREAD && scope != __NV_THREAD_SCOPE_BLOCK;
}

/// T, which is not deduced from an argument of this type.
template <class T>
using Same = std::common_type_t<T>;

template <class T>
EMULATOR_UNCHECKED T subtract_any(T* address, T value) {
    if constexpr (std::is_integral_v<T>)
        return subtract(address, value);
    else
        return add(address, -value);
}

template <std::size_t bytes>
struct WordOf {
    static_assert(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8, "atomic: 1, 2, 4 or 8 bytes");
};
template <>
struct WordOf<1> {
    using Type = unsigned char;
};
template <>
struct WordOf<2> {
    using Type = unsigned short;
};
template <>
struct WordOf<4> {
    using Type = unsigned int;
};
template <>
struct WordOf<8> {
    using Type = unsigned long long;
};
/// An integer of the size of T, which is compared and exchanged bit by bit.
template <class T>
using Word = typename WordOf<sizeof(T)>::Type;

template <class T>
Word<T> as_word(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    Word<T> word;
    __builtin_memcpy(&word, &value, sizeof word);
    return word;
}
template <class T>
T from_word(Word<T> word) {
    T value;
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
}

EMULATOR_INLINE void begin(const volatile void* address, std::size_t bytes, int order, int scope,
                           bool compares = false) {
    if (order >= __NV_ATOMIC_RELEASE) check_order(meets_other_blocks(scope));
    check_atomic(address, bytes, meets_other_blocks(scope), compares);
}

/// The result of an operation that has just been done.
template <class T>
EMULATOR_INLINE T end(T result, int order, int scope) {
    seen(result);
    if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE) check_order(meets_other_blocks(scope));
    return result;
}

}  // namespace emulator::atomics

template <class T>
EMULATOR_ATOMIC_FACE T __nv_atomic_load_n(T* address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    using Word = ::emulator::atomics::Word<T>;
    ::emulator::atomics::begin(address, sizeof(T), order, scope);
    const Word zero = 0;  // "or" with it leaves everything as it is
    return ::emulator::atomics::from_word<T>(
        ::emulator::atomics::end(::emulator::atomics::bit_or(reinterpret_cast<Word*>(address), zero), order, scope));
}
template <class T>
EMULATOR_ATOMIC_FACE T __nv_atomic_exchange_n(T* address, ::emulator::atomics::Same<T> value, int order,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
    using Word = ::emulator::atomics::Word<T>;
    ::emulator::atomics::begin(address, sizeof(T), order, scope);
    return ::emulator::atomics::from_word<T>(::emulator::atomics::end(
        ::emulator::atomics::exchange(reinterpret_cast<Word*>(address), ::emulator::atomics::as_word<T>(value)), order,
        scope));
}
template <class T>
EMULATOR_ATOMIC_FACE void __nv_atomic_store_n(T* address, ::emulator::atomics::Same<T> value, int order,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
    __nv_atomic_exchange_n(address, value, order, scope);
}
template <class T>
EMULATOR_ATOMIC_FACE bool __nv_atomic_compare_exchange_n(T* address, T* expected, ::emulator::atomics::Same<T> desired,
                                                         bool, int order, int, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    using Word = ::emulator::atomics::Word<T>;
    ::emulator::atomics::begin(address, sizeof(T), order, scope, true);
    const Word compare = ::emulator::atomics::as_word<T>(*expected);
    const Word old =
        ::emulator::atomics::end(::emulator::atomics::compare_and_swap(reinterpret_cast<Word*>(address), compare,
                                                                       ::emulator::atomics::as_word<T>(desired)),
                                 order, scope);
    if (old != compare) *expected = ::emulator::atomics::from_word<T>(old);
    return old == compare;
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
        ::emulator::atomics::begin(address, sizeof(T), order, scope);                                          \
        return ::emulator::atomics::end(::emulator::atomics::how(address, value), order, scope);               \
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

EMULATOR_INLINE void __nv_atomic_thread_fence(int, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    ::emulator::check_fence(::emulator::atomics::meets_other_blocks(scope));
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
