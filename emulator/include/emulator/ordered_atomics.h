#pragma once

#include <type_traits>

#include "emulator/atomics.h"

// Atomic operations with an order and a scope: nvcc's built-in functions and libcu++ are made of them. Here each is
// sequentially consistent, which is more than any order asks for; order and scope tell the checked build who may meet
// there, and what else that puts in order.

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

constexpr bool meets_other_blocks(int scope) {
    return scope != __NV_THREAD_SCOPE_THREAD && scope != __NV_THREAD_SCOPE_BLOCK;
}
constexpr bool is_acquire(int order) {
    return order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE;
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
EMULATOR_UNCHECKED Word<T> as_word(T value) {
    static_assert(std::is_trivially_copyable_v<T>, "atomic: a trivially copyable type");
    Word<T> word;
    __builtin_memcpy(&word, &value, sizeof word);
    return word;
}
template <class T>
EMULATOR_UNCHECKED T from_word(Word<T> word) {
    T value;
    __builtin_memcpy(static_cast<void*>(&value), &word, sizeof value);
    return value;
}
template <class T>
Word<T>* words(T* address) {
    return reinterpret_cast<Word<T>*>(address);
}

template <class T>
EMULATOR_INLINE void begin(const volatile T* address, int order, int scope, AtomicUse use = AtomicUse::update,
                           AtomicChange change = AtomicChange::none) {
    const AtomicScope reach = meets_other_blocks(scope)          ? AtomicScope::all
                              : scope == __NV_THREAD_SCOPE_BLOCK ? AtomicScope::block
                                                                 : AtomicScope::thread;
    check_ordered_atomic(address, sizeof(T), {use, reach, is_acquire(order), order >= __NV_ATOMIC_RELEASE, change});
}

/// A thread that polls reads an address again and again: others get their turn.
template <class T>
EMULATOR_ATOMIC_FACE T ordered_load(const T* address, int order, int scope) {
    begin<T>(address, order, scope, AtomicUse::load);
    relax();
    return from_word<T>(seen(__atomic_load_n(words(const_cast<T*>(address)), __ATOMIC_SEQ_CST)));
}

template <class T>
EMULATOR_ATOMIC_FACE void ordered_store(T* address, T value, int order, int scope) {
    begin<T>(address, order, scope, AtomicUse::store);
    __atomic_store_n(words(address), as_word(value), __ATOMIC_SEQ_CST);
}

template <class T>
EMULATOR_ATOMIC_FACE T ordered_exchange(T* address, T value, int order, int scope) {
    begin<T>(address, order, scope, AtomicUse::update, AtomicChange::exchanges);
    return from_word<T>(seen(exchange(words(address), as_word(value))));
}

template <class T>
EMULATOR_ATOMIC_FACE bool ordered_compare_exchange(T* address, T& expected, T desired, int order, int failure,
                                                   int scope) {
    const bool acquires = is_acquire(order) || is_acquire(failure), releases = order >= __NV_ATOMIC_RELEASE;
    const int both = acquires && releases ? __NV_ATOMIC_ACQ_REL : acquires ? __NV_ATOMIC_ACQUIRE : order;
    begin<T>(address, both, scope, AtomicUse::update, AtomicChange::compares_and_exchanges);
    const Word<T> compare = as_word(expected);
    const Word<T> old = seen(compare_and_swap(words(address), compare, as_word(desired)));
    if (old != compare) expected = from_word<T>(old);
    return old == compare;
}

EMULATOR_INLINE void ordered_fence(int order, int scope) {
    if (order != __NV_ATOMIC_RELAXED && scope != __NV_THREAD_SCOPE_THREAD) check_fence(meets_other_blocks(scope));
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

}  // namespace emulator::atomics
