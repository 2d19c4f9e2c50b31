#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "emulator/atomics.h"
#include "emulator/check.h"
#include "emulator/engine.h"
#include "emulator/half.h"
#include "emulator/mbarrier.h"
#include "emulator/warp.h"

// cp.async.bulk: one thread copies up to some KiB, and a GPU's copy engine does the rest. Here the copy has been made
// when the call returns; in the checked build what an mbarrier is told of comes when that is waited for.
namespace emulator {

EMULATOR_INLINE void require_pieces(const void* to, const void* from, std::size_t bytes) {
    require_multiple(to, 16, "began a bulk copy to an address that is no multiple of 16");
    require_multiple(from, 16, "began a bulk copy from an address that is no multiple of 16");
    if (bytes % 16 != 0) trap("began a bulk copy whose number of bytes is no multiple of 16");
}
EMULATOR_INLINE void require_shared(const void* pointer) {
    if (!atomics::in_shared_memory(pointer))
        trap("began a bulk copy from shared memory, and its source is not in the block's");
}

/// To shared memory, of the block or of another one in its cluster. The barrier is in the same block's.
EMULATOR_INLINE void copy_bulk(void* to, const void* from, std::size_t bytes, const void* barrier) {
    require_pieces(to, from, bytes);
    if (!atomics::in_shared_memory(to) && !is_in_cluster(to))
        trap("began a bulk copy to shared memory, and its target is not in the cluster's");
    std::uint64_t* const told = mbarrier::at(barrier);
    if constexpr (checked)
        check_bulk_copy(to, from, bytes, told);
    else
        std::memcpy(to, from, bytes);
    mbarrier::complete_tx(told, bytes);
}
/// To the same place of each block of the cluster whose bit is set, and its barrier.
EMULATOR_INLINE void copy_bulk_to_many(void* to, const void* from, std::size_t bytes, const void* barrier,
                                       std::uint64_t blocks) {
    for (std::uint64_t rest = blocks & 0xffff; rest != 0; rest &= rest - 1) {
        const auto rank = static_cast<unsigned>(__builtin_ctzll(rest));
        copy_bulk(map_to_cluster(to, rank), from, bytes, map_to_cluster(barrier, rank));
    }
}
/// From shared to global memory, in the thread's next group of bulk copies.
EMULATOR_INLINE void copy_bulk_to_global(void* to, const void* from, std::size_t bytes) {
    require_pieces(to, from, bytes);
    require_shared(from);
    if constexpr (checked)
        check_bulk_copy(to, from, bytes, nullptr);
    else
        std::memcpy(to, from, bytes);
}

/// st.async: `value` is of 4 to 16 bytes, as many as the address is a multiple of. The barrier is in the same block's
/// memory.
template <class T>
EMULATOR_INLINE void store_async(void* to, const T& value, const void* barrier) {
    require_multiple(to, sizeof value,
                     "began an asynchronous store (st.async) to an address that is no multiple of its size");
    if (!atomics::in_shared_memory(to) && !is_in_cluster(to))
        trap("began an asynchronous store (st.async) whose target is not in the cluster's shared memory");
    std::uint64_t* const told = mbarrier::at(barrier);
    if constexpr (checked)
        check_async_store(to, &value, sizeof value, told);
    else
        std::memcpy(to, &value, sizeof value);
    mbarrier::complete_tx(told, sizeof value);
}

/// A half or a bfloat16 of which only the bits are known: what cuda_fp16.h and cuda_bf16.h have need not be included.
template <class Format>
struct Float16Bits {
    std::uint16_t bits;

    float number() const { return Format::to_float(bits); }
    static Float16Bits rounded(double x, Rounding mode) { return {Format::round(x, mode)}; }
    static Float16Bits nearest(double x) { return rounded(x, Rounding::nearest); }
    static double least_normal() { return std::ldexp(1.0, Format::least); }
};

namespace reductions {

template <class Format>
EMULATOR_UNCHECKED void add(Float16Bits<Format>* word, Float16Bits<Format> value) {
    using Number = Float16Bits<Format>;
    atomics::update(word,
                    [=](Number old) { return Number{Format::round(double{old.number()} + double{value.number()})}; });
}
// Of a NaN and a number it is the number, and -0 is less than 0.
template <class Format>
EMULATOR_UNCHECKED bool is_less(Float16Bits<Format> a, Float16Bits<Format> b) {
    return a.number() < b.number() || (a.number() == b.number() && a.bits > b.bits);
}
template <class Format>
EMULATOR_UNCHECKED void minimum(Float16Bits<Format>* word, Float16Bits<Format> value) {
    using Number = Float16Bits<Format>;
    atomics::update(word, [=](Number old) { return std::isnan(old.number()) || is_less(value, old) ? value : old; });
}
template <class Format>
EMULATOR_UNCHECKED void maximum(Float16Bits<Format>* word, Float16Bits<Format> value) {
    using Number = Float16Bits<Format>;
    atomics::update(word, [=](Number old) { return std::isnan(old.number()) || is_less(old, value) ? value : old; });
}

using atomics::add, atomics::minimum, atomics::maximum, atomics::increment, atomics::decrement;
using atomics::bit_and, atomics::bit_or, atomics::bit_xor;
#define EMULATOR_REDUCTION(name, function)                           \
    struct name##_elements {                                         \
        template <class T>                                           \
        EMULATOR_UNCHECKED void operator()(T* word, T value) const { \
            function(word, value);                                   \
        }                                                            \
    };
EMULATOR_REDUCTION(add, add)
EMULATOR_REDUCTION(min, minimum)
EMULATOR_REDUCTION(max, maximum)
EMULATOR_REDUCTION(inc, increment)
EMULATOR_REDUCTION(dec, decrement)
EMULATOR_REDUCTION(and, bit_and)
EMULATOR_REDUCTION(or, bit_or)
EMULATOR_REDUCTION(xor, bit_xor)
#undef EMULATOR_REDUCTION
}  // namespace reductions

/// Adds and so on, element by element. `meet`: one of the reductions.
template <class T, class F>
EMULATOR_INLINE void reduce_bulk(void* to, const void* from, std::size_t bytes, const void* barrier, const F& meet) {
    require_pieces(to, from, bytes);
    require_shared(from);
    check_bulk_source(from, bytes, barrier);
    for (std::size_t i = 0; i < bytes / sizeof(T); ++i) {
        T* const word = static_cast<T*>(to) + i;
        T value;
        std::memcpy(&value, static_cast<const char*>(from) + i * sizeof(T), sizeof value);
        check_atomic(word, sizeof(T), true);
        meet(word, value);
    }
    if (barrier == nullptr) return;
    check_async_reduction(to, bytes, barrier);
    mbarrier::complete_tx(barrier, bytes);
}

/// red.async: the same of one element, which is in a register.
template <class T, class F>
EMULATOR_INLINE void reduce_async(void* to, T value, const void* barrier, const F& meet) {
    require_multiple(to, sizeof(T),
                     "began an asynchronous reduction (red.async) at an address that is no multiple of its size");
    std::uint64_t* const told = mbarrier::at(barrier);
    check_atomic(to, sizeof(T), true);
    meet(static_cast<T*>(to), value);
    check_async_reduction(to, sizeof(T), told);
    mbarrier::complete_tx(told, sizeof(T));
}

EMULATOR_INLINE void commit_bulk_copies() {
    check_bulk_copies_are_group();
}
/// For all groups of the thread but the last ones; or only until what they copy has been read.
EMULATOR_INLINE void wait_for_bulk_copies(std::size_t all_but, bool only_read) {
    check_bulk_copies_are_awaited(all_but, only_read);
}

}  // namespace emulator
