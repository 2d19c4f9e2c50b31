#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "emulator/engine.h"
#include "emulator/types.h"

// The atomic functions, with the overloads of CUDA's headers and no others: a call that nvcc refuses is refused here.
// All of them return what was there before. The forms with _block and _system differ from the plain one in who else may
// touch the address, on a GPU; here all are for everybody.

namespace emulator {

/// Lets other threads run. Called where a thread polls: after an atomic operation that left everything as it was.
void relax();

/// Where this worker's shared memory begins. One worker runs a whole block, so nobody else uses an address in there and
/// it needs no locked instruction, which is several times faster. 0: there is none.
EMULATOR_TLS std::uintptr_t shared_memory_begin;
inline constexpr std::uintptr_t shared_memory_reserved = 512u << 10;

#ifdef EMULATOR_CHECKED
#define EMULATOR_ATOMIC_INLINE EMULATOR_UNCHECKED inline
#define EMULATOR_ATOMIC_FACE EMULATOR_INLINE  // a report then names the kernel's line
#else
#define EMULATOR_ATOMIC_INLINE [[gnu::always_inline]] inline
#define EMULATOR_ATOMIC_FACE inline
#endif

namespace atomics {

EMULATOR_ATOMIC_INLINE bool in_shared_memory(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) - shared_memory_begin < shared_memory_reserved;
}

// Signed sums wrap around, which C++ says of unsigned ones only.
template <class T>
T wrapping_sum(T a, T b) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
}

/// *address = change(*address)
template <class T, class Change>
EMULATOR_UNCHECKED T update(T* address, Change change) {
    T old;
    if (in_shared_memory(address)) {
        const Uninterrupted here;
        old = *address;
        *address = change(old);
        return old;
    }
    __atomic_load(address, &old, __ATOMIC_SEQ_CST);
    T next = change(old);
    while (!__atomic_compare_exchange(address, &old, &next, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        next = change(old);
    return old;
}

/// The same as update() with a sum, in shared memory.
template <class T>
EMULATOR_ATOMIC_INLINE T add_in_shared_memory(T* address, T value) {
#if defined(__x86_64__)
    // One instruction, which is not interrupted half-way and needs no lock.
    asm volatile("xadd %0, %1" : "+r"(value), "+m"(*address) : : "cc", "memory");
    return value;
#else
    return update(address, [=](T old) { return wrapping_sum(old, value); });
#endif
}

/// A GPU adds floats in global memory where its L2 cache is, which takes numbers below 2^-126 for zero (PTX ISA,
/// atom.add.f32). In shared memory it keeps them.
inline float flushed(float x) {
    return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0f, x) : x;
}

template <class T>
EMULATOR_ATOMIC_INLINE T add(T* address, T value) {
    if (value == T(0)) relax();  // This is how a program reads an address that others write.
    if constexpr (std::is_integral_v<T>) {
        if (__builtin_expect(in_shared_memory(address), 1)) return add_in_shared_memory(address, value);
        return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
    } else if constexpr (std::is_same_v<T, float>) {
        if (in_shared_memory(address)) return update(address, [=](float old) { return old + value; });
        return update(address, [=](float old) { return flushed(flushed(old) + flushed(value)); });
    } else {
        return update(address, [=](T old) { return old + value; });
    }
}

template <class T>
EMULATOR_UNCHECKED T subtract(T* address, T value) {
    return add(address, wrapping_sum(static_cast<T>(~value), T(1)));
}

template <class T>
EMULATOR_UNCHECKED T exchange(T* address, T value) {
    T old;
    if (in_shared_memory(address)) {
        const Uninterrupted here;
        old = *address;
        *address = value;
    } else {
        __atomic_exchange(address, &value, &old, __ATOMIC_SEQ_CST);
    }
    if (old == value) relax();  // a lock that stays taken
    return old;
}

template <class T>
EMULATOR_UNCHECKED T compare_and_swap(T* address, T compare, T value) {
    T old = compare;
    if (in_shared_memory(address)) {
        const Uninterrupted here;
        old = *address;
        if (old == compare) *address = value;
    } else {
        __atomic_compare_exchange_n(address, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
    if (old != compare || compare == value) relax();
    return old;
}

template <class T>
EMULATOR_UNCHECKED T minimum(T* address, T value) {
    return update(address, [=](T old) { return value < old ? value : old; });
}

template <class T>
EMULATOR_UNCHECKED T maximum(T* address, T value) {
    return update(address, [=](T old) { return old < value ? value : old; });
}

/// Counts up to `last`, then starts again at 0.
EMULATOR_UNCHECKED inline unsigned increment(unsigned* address, unsigned last) {
    return update(address, [=](unsigned old) { return old >= last ? 0 : old + 1; });
}

/// Counts down to 0, then starts again at `last`, as it does from anything above it.
EMULATOR_UNCHECKED inline unsigned decrement(unsigned* address, unsigned last) {
    return update(address, [=](unsigned old) { return old == 0 || old > last ? last : old - 1; });
}

template <class T>
EMULATOR_UNCHECKED T bit_and(T* address, T value) {
    if (value == static_cast<T>(~T(0))) relax();
    if (!in_shared_memory(address)) return __atomic_fetch_and(address, value, __ATOMIC_SEQ_CST);
    return update(address, [=](T old) { return old & value; });
}

template <class T>
EMULATOR_UNCHECKED T bit_or(T* address, T value) {
    if (value == T(0)) relax();
    if (!in_shared_memory(address)) return __atomic_fetch_or(address, value, __ATOMIC_SEQ_CST);
    return update(address, [=](T old) { return old | value; });
}

template <class T>
EMULATOR_UNCHECKED T bit_xor(T* address, T value) {
    if (value == T(0)) relax();
    if (!in_shared_memory(address)) return __atomic_fetch_xor(address, value, __ATOMIC_SEQ_CST);
    return update(address, [=](T old) { return old ^ value; });
}

/// What one of the functions above does with this value.
template <class T>
EMULATOR_INLINE AtomicChange change_by(std::string_view function, T value) {
    if (function == "exchange") return AtomicChange::exchanges;
    const bool keeps_all = function == "bit_and" ? value == static_cast<T>(-1) : value == T(0);
    return keeps_all ? AtomicChange::none : AtomicChange::combines;
}

/// The result of an atomic operation that has just been done.
template <class T>
EMULATOR_UNCHECKED inline T seen(T result) {
    if (atomic_results_count) check_atomic_result(&result, sizeof result);
    return result;
}

}  // namespace atomics
}  // namespace emulator

#define EMULATOR_ATOMIC(name, how, T)                                                                   \
    EMULATOR_ATOMIC_FACE T name(T* address, T val) {                                                    \
        ::emulator::check_atomic(address, sizeof(T), true, ::emulator::atomics::change_by(#how, val));  \
        return ::emulator::atomics::seen(::emulator::atomics::how(address, val));                       \
    }                                                                                                   \
    EMULATOR_ATOMIC_FACE T name##_block(T* address, T val) {                                            \
        ::emulator::check_atomic(address, sizeof(T), false, ::emulator::atomics::change_by(#how, val)); \
        return ::emulator::atomics::seen(::emulator::atomics::how(address, val));                       \
    }                                                                                                   \
    EMULATOR_ATOMIC_FACE T name##_system(T* address, T val) {                                           \
        return name(address, val);                                                                      \
    }
#define EMULATOR_ATOMIC_CAS(name, T, for_all_blocks)                                                    \
    EMULATOR_ATOMIC_FACE T name(T* address, T compare, T val) {                                         \
        ::emulator::check_atomic(address, sizeof(T), for_all_blocks,                                    \
                                 ::emulator::AtomicChange::compares_and_exchanges);                     \
        return ::emulator::atomics::seen(::emulator::atomics::compare_and_swap(address, compare, val)); \
    }
#define EMULATOR_ATOMIC_32(name, how) \
    EMULATOR_ATOMIC(name, how, int)   \
    EMULATOR_ATOMIC(name, how, unsigned int)
#define EMULATOR_ATOMIC_64(name, how)     \
    EMULATOR_ATOMIC_32(name, how)         \
    EMULATOR_ATOMIC(name, how, long long) \
    EMULATOR_ATOMIC(name, how, unsigned long long)

EMULATOR_ATOMIC_32(atomicAdd, add)
EMULATOR_ATOMIC(atomicAdd, add, unsigned long long)
EMULATOR_ATOMIC(atomicAdd, add, float)
EMULATOR_ATOMIC(atomicAdd, add, double)
EMULATOR_ATOMIC_32(atomicSub, subtract)
EMULATOR_ATOMIC_32(atomicExch, exchange)
EMULATOR_ATOMIC(atomicExch, exchange, unsigned long long)
EMULATOR_ATOMIC(atomicExch, exchange, float)
EMULATOR_ATOMIC_64(atomicMin, minimum)
EMULATOR_ATOMIC_64(atomicMax, maximum)
EMULATOR_ATOMIC(atomicInc, increment, unsigned int)
EMULATOR_ATOMIC(atomicDec, decrement, unsigned int)
EMULATOR_ATOMIC_64(atomicAnd, bit_and)
EMULATOR_ATOMIC_64(atomicOr, bit_or)
EMULATOR_ATOMIC_64(atomicXor, bit_xor)
EMULATOR_ATOMIC_CAS(atomicCAS, unsigned short, true)
EMULATOR_ATOMIC_CAS(atomicCAS, int, true)
EMULATOR_ATOMIC_CAS(atomicCAS, unsigned int, true)
EMULATOR_ATOMIC_CAS(atomicCAS, unsigned long long, true)
EMULATOR_ATOMIC_CAS(atomicCAS_block, int, false)
EMULATOR_ATOMIC_CAS(atomicCAS_block, unsigned int, false)
EMULATOR_ATOMIC_CAS(atomicCAS_block, unsigned long long, false)
EMULATOR_ATOMIC_CAS(atomicCAS_system, int, true)
EMULATOR_ATOMIC_CAS(atomicCAS_system, unsigned int, true)
EMULATOR_ATOMIC_CAS(atomicCAS_system, unsigned long long, true)
#undef EMULATOR_ATOMIC
#undef EMULATOR_ATOMIC_CAS
#undef EMULATOR_ATOMIC_32
#undef EMULATOR_ATOMIC_64

// Of the vectors each member is atomic, not the whole.
#define EMULATOR_ATOMIC_VECTORS(name)                                                                        \
    EMULATOR_ATOMIC_FACE float2 name(float2* address, float2 val) {                                          \
        return {atomicAdd(&address->x, val.x), atomicAdd(&address->y, val.y)};                               \
    }                                                                                                        \
    EMULATOR_ATOMIC_FACE float4 name(float4* address, float4 val) {                                          \
        return {atomicAdd(&address->x, val.x), atomicAdd(&address->y, val.y), atomicAdd(&address->z, val.z), \
                atomicAdd(&address->w, val.w)};                                                              \
    }
EMULATOR_ATOMIC_VECTORS(atomicAdd)
EMULATOR_ATOMIC_VECTORS(atomicAdd_block)
EMULATOR_ATOMIC_VECTORS(atomicAdd_system)
#undef EMULATOR_ATOMIC_VECTORS

/// Sleeps at least as long as it takes to let other threads run.
inline void __nanosleep(unsigned int) {
    ::emulator::relax();
}
