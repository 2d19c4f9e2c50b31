#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "emulator/block_barrier.h"
#include "emulator/check.h"
#include "emulator/engine.h"

// Barriers, and what the 32 lanes of a warp do together. A lane that calls a warp function waits until all lanes of the
// mask that have not ended have called the same function with the same mask. A lane's number is that of its thread in
// the block, x fastest, modulo 32.

namespace emulator {

/// What threads wait for each other in. The names are in place.cpp.
enum class WarpOperation : unsigned char {
    none,           // the block's barrier
    spin,           // not an operation: a loop that waits for another thread
    grid,           // the barrier of all blocks
    cluster,        // that of a cluster's
    object,         // wait() of a barrier, a pipeline or the like, which is memory that another thread changes
    named_barrier,  // one of the block's sixteen
    sync,
    active_mask,
    lockstep,  // a store into volatile memory; the mask is the number of the place
    shuffle,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    ballot,
    any,
    all,
    match_any,
    match_all,
    add,
    min_signed,
    max_signed,
    min_unsigned,
    max_unsigned,
    bit_and,
    bit_or,
    bit_xor,
    // Those of the whole warp, all 32 lanes:
    load_matrix,
    store_matrix,
    mma,
    ldmatrix
};
inline constexpr unsigned whole_warp = 0xffffffff;  // the mask of all lanes

/// Brings `value` to an operation of the lanes in `mask` and returns this lane's result. `source` is the lane to read
/// from in a shuffle.
std::uint64_t warp_operation(WarpOperation operation, unsigned mask, std::uint64_t value = 0, unsigned source = 0);

/// The lanes of a warp that are about to store at a place wait for each other. Outside of kernels nothing.
void lockstep(unsigned place);

/// What a store through `volatile` does in a kernel. On a device the lanes of a warp run together where they can, and
/// code from before __syncwarp() counts on it (`volatile int* v; v[i] += v[i + 16]; v[i] += v[i + 8];`): all lanes have
/// read before one of them stores, and all have stored before one goes on.
template <class T, unsigned place>
class LockstepStore {
  public:
    explicit LockstepStore(volatile T& lvalue) : lvalue_(lvalue) {}
    EMULATOR_INLINE T operator=(T value) const {
        lockstep(place);
        lvalue_ = value;
        lockstep(place);
        return value;
    }
    EMULATOR_INLINE T operator++() const { return *this += 1; }
    EMULATOR_INLINE T operator--() const { return *this -= 1; }
    EMULATOR_INLINE T operator++(int) const {
        return update([](T& value) { return value++; });
    }
    EMULATOR_INLINE T operator--(int) const {
        return update([](T& value) { return value--; });
    }
#define EMULATOR_LOCKSTEP_OPERATOR(op)                           \
    template <class U>                                           \
    EMULATOR_INLINE T operator op##=(const U& x) const {         \
        return update([&](T& value) { return value op## = x; }); \
    }
    EMULATOR_LOCKSTEP_OPERATOR(+)
    EMULATOR_LOCKSTEP_OPERATOR(-)
    EMULATOR_LOCKSTEP_OPERATOR(*)
    EMULATOR_LOCKSTEP_OPERATOR(/)
    EMULATOR_LOCKSTEP_OPERATOR(%)
    EMULATOR_LOCKSTEP_OPERATOR(^)
#undef EMULATOR_LOCKSTEP_OPERATOR
// Threads that set or clear the same bits lose nothing.
#define EMULATOR_LOCKSTEP_OPERATOR(op)                   \
    template <class U>                                   \
    EMULATOR_INLINE T operator op##=(const U& x) const { \
        T value = lvalue_;                               \
        value op## = x;                                  \
        return *this = value;                            \
    }
    EMULATOR_LOCKSTEP_OPERATOR(&)
    EMULATOR_LOCKSTEP_OPERATOR(|)
#undef EMULATOR_LOCKSTEP_OPERATOR

  private:
    template <class F>
    EMULATOR_INLINE T update(const F& change) const {
        T value = lvalue_;
        const auto stored_last = check_update_begins(&lvalue_, sizeof(T));
        const T result = change(value);
        lockstep(place);
        check_update_ends(&lvalue_, sizeof(T), stored_last);
        lvalue_ = value;
        lockstep(place);
        return result;
    }

    volatile T& lvalue_;
};

/// What is assigned to at a place of a kernel: an lvalue as it is, unless it is volatile.
template <unsigned place, class T>
EMULATOR_INLINE decltype(auto) lockstep(T&& x) {
    using Lvalue = std::remove_reference_t<T>;
    if constexpr (std::is_volatile_v<Lvalue> && std::is_scalar_v<Lvalue>)
        return LockstepStore<std::remove_volatile_t<Lvalue>, place>(x);
    else
        return static_cast<T&&>(x);
}

/// __trap(): the kernel fails. `what`: what the thread has done.
[[noreturn]] void trap(const char* what = "called __trap()");
/// What it has done is told with the address, which is no multiple of that number.
[[noreturn]] void trap(const char* what, std::uint64_t address, std::uint64_t multiple);
EMULATOR_INLINE void require_multiple(const void* address, std::uint64_t multiple, const char* what) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (at % multiple != 0) trap(what, at, multiple);
}

/// Number of the calling thread in its warp.
unsigned lane_index();

/// The bits of a value of at most 8 bytes.
template <class T>
std::uint64_t to_bits(T value) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t), "a warp exchanges values of at most 8 bytes");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

template <class T>
T from_bits(std::uint64_t bits) {
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof value);  // a __half has private members
    return value;
}

// Which lane a shuffle reads, as the description of PTX's shfl.sync says: segments of `width` lanes; a lane whose
// source lies behind the end of its segment (before its start, going up) reads itself.
inline unsigned segment_mask(int width) {
    return static_cast<unsigned>(warpSize - width) & 31;
}
inline unsigned shuffle_source(unsigned lane, int source, int width) {
    const unsigned mask = segment_mask(width);
    return (lane & mask) | (static_cast<unsigned>(source) & 31 & ~mask);
}
inline unsigned shuffle_up_source(unsigned lane, unsigned delta, int width) {
    const int source = static_cast<int>(lane) - static_cast<int>(delta & 31);
    return source >= static_cast<int>(lane & segment_mask(width)) ? static_cast<unsigned>(source) : lane;
}
inline unsigned segment_end(unsigned lane, int width) {
    const unsigned mask = segment_mask(width);
    return (lane & mask) | (31 & ~mask);
}
inline unsigned shuffle_down_source(unsigned lane, unsigned delta, int width) {
    const unsigned source = lane + (delta & 31);
    return source <= segment_end(lane, width) ? source : lane;
}
inline unsigned shuffle_xor_source(unsigned lane, int bits, int width) {
    const unsigned source = lane ^ (static_cast<unsigned>(bits) & 31);
    return source <= segment_end(lane, width) ? source : lane;
}

}  // namespace emulator

#if !defined(__clang__) || !defined(__CUDA__)  // clangd knows it as a function that is built in
EMULATOR_INLINE void __syncthreads() {
    ::emulator::wait_at_block_barrier();
}
#endif
EMULATOR_INLINE int __syncthreads_count(int predicate) {
    return static_cast<int>(::emulator::sync_threads_count(predicate != 0));
}
EMULATOR_INLINE int __syncthreads_and(int predicate) {
    return ::emulator::sync_threads_count(predicate == 0) == 0;
}
EMULATOR_INLINE int __syncthreads_or(int predicate) {
    return ::emulator::sync_threads_count(predicate != 0) != 0;
}

EMULATOR_INLINE void __syncwarp(unsigned mask = 0xffffffff) {
    ::emulator::warp_operation(::emulator::WarpOperation::sync, mask);
}
/// The lanes that have come to the same place while no other lane of the block can go on: those that a device, which
/// runs the lanes of a warp together where it can, would find there.
EMULATOR_INLINE unsigned __activemask() {
    return static_cast<unsigned>(::emulator::warp_operation(::emulator::WarpOperation::active_mask, 0));
}

#define EMULATOR_SHUFFLES(T)                                                                                      \
    EMULATOR_INLINE T __shfl_sync(unsigned mask, T value, int source, int width = warpSize) {                     \
        return ::emulator::from_bits<T>(                                                                          \
            ::emulator::warp_operation(::emulator::WarpOperation::shuffle, mask, ::emulator::to_bits(value),      \
                                       ::emulator::shuffle_source(::emulator::lane_index(), source, width)));     \
    }                                                                                                             \
    EMULATOR_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {              \
        return ::emulator::from_bits<T>(                                                                          \
            ::emulator::warp_operation(::emulator::WarpOperation::shuffle_up, mask, ::emulator::to_bits(value),   \
                                       ::emulator::shuffle_up_source(::emulator::lane_index(), delta, width)));   \
    }                                                                                                             \
    EMULATOR_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {            \
        return ::emulator::from_bits<T>(                                                                          \
            ::emulator::warp_operation(::emulator::WarpOperation::shuffle_down, mask, ::emulator::to_bits(value), \
                                       ::emulator::shuffle_down_source(::emulator::lane_index(), delta, width))); \
    }                                                                                                             \
    EMULATOR_INLINE T __shfl_xor_sync(unsigned mask, T value, int bits, int width = warpSize) {                   \
        return ::emulator::from_bits<T>(                                                                          \
            ::emulator::warp_operation(::emulator::WarpOperation::shuffle_xor, mask, ::emulator::to_bits(value),  \
                                       ::emulator::shuffle_xor_source(::emulator::lane_index(), bits, width)));   \
    }
#define EMULATOR_MATCHES(T)                                                                                      \
    EMULATOR_INLINE unsigned __match_any_sync(unsigned mask, T value) {                                          \
        return static_cast<unsigned>(                                                                            \
            ::emulator::warp_operation(::emulator::WarpOperation::match_any, mask, ::emulator::to_bits(value))); \
    }                                                                                                            \
    EMULATOR_INLINE unsigned __match_all_sync(unsigned mask, T value, int* all) {                                \
        const std::uint64_t same =                                                                               \
            ::emulator::warp_operation(::emulator::WarpOperation::match_all, mask, ::emulator::to_bits(value));  \
        *all = same != 0;                                                                                        \
        return static_cast<unsigned>(same);                                                                      \
    }
#define EMULATOR_FOR_WARP_TYPES(X) \
    X(int)                         \
    X(unsigned int)                \
    X(long)                        \
    X(unsigned long)               \
    X(long long)                   \
    X(unsigned long long)          \
    X(float)                       \
    X(double)
EMULATOR_FOR_WARP_TYPES(EMULATOR_SHUFFLES)
EMULATOR_FOR_WARP_TYPES(EMULATOR_MATCHES)  // EMULATOR_SHUFFLES is also for half_functions.inc.
#undef EMULATOR_MATCHES
#undef EMULATOR_FOR_WARP_TYPES

#define EMULATOR_REDUCTION(T, name, operation)                                                                   \
    EMULATOR_INLINE T name(unsigned mask, T value) {                                                             \
        return static_cast<T>(                                                                                   \
            ::emulator::warp_operation(::emulator::WarpOperation::operation, mask, ::emulator::to_bits(value))); \
    }
EMULATOR_REDUCTION(unsigned, __reduce_add_sync, add)
EMULATOR_REDUCTION(int, __reduce_add_sync, add)
EMULATOR_REDUCTION(unsigned, __reduce_min_sync, min_unsigned)
EMULATOR_REDUCTION(int, __reduce_min_sync, min_signed)
EMULATOR_REDUCTION(unsigned, __reduce_max_sync, max_unsigned)
EMULATOR_REDUCTION(int, __reduce_max_sync, max_signed)
EMULATOR_REDUCTION(unsigned, __reduce_and_sync, bit_and)
EMULATOR_REDUCTION(unsigned, __reduce_or_sync, bit_or)
EMULATOR_REDUCTION(unsigned, __reduce_xor_sync, bit_xor)
#undef EMULATOR_REDUCTION

EMULATOR_INLINE unsigned __ballot_sync(unsigned mask, int predicate) {
    return static_cast<unsigned>(::emulator::warp_operation(::emulator::WarpOperation::ballot, mask, predicate != 0));
}
EMULATOR_INLINE int __any_sync(unsigned mask, int predicate) {
    return static_cast<int>(::emulator::warp_operation(::emulator::WarpOperation::any, mask, predicate != 0));
}
EMULATOR_INLINE int __all_sync(unsigned mask, int predicate) {
    return static_cast<int>(::emulator::warp_operation(::emulator::WarpOperation::all, mask, predicate != 0));
}

// Other threads may run on other CPUs at the same time.
EMULATOR_INLINE void __threadfence() {
    ::emulator::check_fence(true);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
EMULATOR_INLINE void __threadfence_block() {
    ::emulator::check_fence(false);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
EMULATOR_INLINE void __threadfence_system() {
    ::emulator::check_fence(true);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/// Ends the kernel with an error.
EMULATOR_INLINE void __trap() {
    ::emulator::trap();
}
