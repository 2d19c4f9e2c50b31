#pragma once

#include <cstdint>

#include "emulator/atomics.h"
#include "emulator/check.h"
#include "emulator/engine.h"
#include "emulator/warp.h"

// Barriers that are objects: mbarrier of PTX, which a cuda::barrier of block scope is, too.
namespace emulator {

/// A barrier in one word: the phase, how many arrivals are missing in it, how many there are in each, and how many
/// bytes of copies are missing: less than none, if they have come before they were expected.
template <unsigned bits>
struct BarrierWord {
    static constexpr std::uint64_t most = (std::uint64_t{1} << bits) - 1;

    bool phase;
    std::uint64_t missing, expected;
    std::int64_t copies;

    EMULATOR_UNCHECKED explicit BarrierWord(std::uint64_t word)
        : phase((word & 1) != 0),
          missing(word >> 1 & most),
          expected(word >> (1 + bits) & most),
          copies(static_cast<std::int64_t>(word) >> (1 + 2 * bits)) {}
    EMULATOR_UNCHECKED static BarrierWord at_first(std::uint64_t expected) {
        return BarrierWord(expected << 1 | expected << (1 + bits));
    }
    EMULATOR_UNCHECKED std::uint64_t word() const {
        return std::uint64_t{phase} | missing << 1 | expected << (1 + bits) |
               static_cast<std::uint64_t>(copies) << (1 + 2 * bits);
    }
    /// Still what fresh shared memory holds, but for arrivals.
    bool is_unset() const { return expected == most; }
    EMULATOR_UNCHECKED bool is_over() const { return missing == 0 && copies == 0; }
    EMULATOR_UNCHECKED BarrierWord next() const {
        BarrierWord next = *this;
        next.phase = !phase;
        next.missing = expected;
        return next;
    }
    EMULATOR_UNCHECKED BarrierWord changed(std::uint64_t arrived, std::uint64_t dropped, std::int64_t more) const {
        BarrierWord after = *this;
        after.missing -= arrived;
        after.expected -= dropped;
        after.copies += more;
        return after;
    }
};

// The instructions. Where several may stand for one, the arguments say which: what `releases` or `acquires` is not
// relaxed.
namespace mbarrier {

using Word = BarrierWord<20>;

EMULATOR_UNCHECKED inline bool is_in_phase(const std::uint64_t* barrier, bool parity) {
    return Word(__atomic_load_n(barrier, __ATOMIC_SEQ_CST)).phase == parity;
}

/// What was there before. The last one to come begins the next phase.
EMULATOR_UNCHECKED inline Word change(std::uint64_t* barrier, std::uint64_t arrived, std::uint64_t dropped,
                                      std::int64_t copies) {
    const Uninterrupted here;
    const Word before(atomics::update(barrier, [=](std::uint64_t old) {
        const Word after = Word(old).changed(arrived, dropped, copies);
        return (after.is_over() ? after.next() : after).word();
    }));
    if (before.changed(arrived, dropped, copies).is_over()) {
        check_barrier(barrier, sizeof *barrier, BarrierUse::complete);
        note_progress();
    }
    return before;
}

/// To shared memory of the block; or, of the cluster, where PTX allows for it.
EMULATOR_INLINE std::uint64_t* at(const void* address) {
    if (reinterpret_cast<std::uintptr_t>(address) % sizeof(std::uint64_t) != 0 ||
        (!atomics::in_shared_memory(address) && !is_in_cluster(address)))
        trap("used an mbarrier that is not in shared memory, at a multiple of 8 bytes");
    return static_cast<std::uint64_t*>(const_cast<void*>(address));
}
EMULATOR_INLINE std::int64_t bytes(std::uint64_t n) {
    if (n > Word::most) trap("told an mbarrier of more than 1,048,575 bytes at once");
    return static_cast<std::int64_t>(n);
}

EMULATOR_INLINE void init(const void* address, std::uint64_t expected) {
    std::uint64_t* const barrier = at(address);
    if (expected == 0 || expected > Word::most) trap("initialised an mbarrier for no arrivals, or more than 1,048,575");
    check_barrier(barrier, sizeof *barrier, BarrierUse::init);
    __atomic_store_n(barrier, Word::at_first(expected).word(), __ATOMIC_SEQ_CST);
}
/// The memory may be used for something else.
EMULATOR_INLINE void inval(const void* address) {
    std::uint64_t* const barrier = at(address);
    check_barrier(barrier, sizeof *barrier, BarrierUse::inval);
    __atomic_store_n(barrier, ~std::uint64_t{0}, __ATOMIC_SEQ_CST);
}
/// Of n arrivals, and so many bytes of copies that are to come besides. Returns the phase: the word as it was.
EMULATOR_INLINE std::uint64_t arrive(const void* address, std::uint64_t n, std::uint64_t expected_bytes, bool drops,
                                     bool releases) {
    std::uint64_t* const barrier = at(address);
    const std::int64_t copies = bytes(expected_bytes);
    check_barrier(barrier, sizeof *barrier, releases ? BarrierUse::arrive : BarrierUse::adjust);
    const Word before = change(barrier, n, drops ? n : 0, copies);
    if (before.missing < n) trap("arrived at a barrier in which all that it expects had arrived");
    return before.word();
}
EMULATOR_INLINE void expect_tx(const void* address, std::uint64_t n) {
    std::uint64_t* const barrier = at(address);
    const std::int64_t copies = bytes(n);
    check_barrier(barrier, sizeof *barrier, BarrierUse::adjust);
    change(barrier, 0, 0, copies);
}
/// So many bytes have come.
EMULATOR_INLINE void complete_tx(const void* address, std::uint64_t n) {
    std::uint64_t* const barrier = at(address);
    check_barrier(barrier, sizeof *barrier, BarrierUse::adjust);
    change(barrier, 0, 0, -static_cast<std::int64_t>(n));
}
/// Whether the phase of that parity is over: 0, 1, 0, … Others get their turn before the answer is no.
EMULATOR_INLINE bool is_over(const void* address, std::uint64_t phase, bool acquires) {
    const std::uint64_t* const barrier = at(address);
    const bool parity = (phase & 1) != 0;
    if (is_in_phase(barrier, parity)) {
        wait_a_turn(nullptr, barrier);
        if (is_in_phase(barrier, parity)) return false;
    }
    if (acquires) check_barrier(barrier, sizeof *barrier, BarrierUse::waited);
    return true;
}

}  // namespace mbarrier
}  // namespace emulator
