#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "emulator/check.h"
#include "vector_clock.h"

// An access to a word, as the shadow memory keeps it.
namespace emulator {

enum class AccessKind : unsigned { plain, through_volatile, atomic, atomic_in_block };  // the last: for its block only

/// In FastTrack's terms an epoch, clock@thread, and what a report needs. 16 bytes.
struct Access {
    std::uint64_t bytes : 4;  // of the word, a bit each
    std::uint64_t kind : 2;
    std::uint64_t constant : 1;  // what is stored is a constant of the source; of an atomic operation that adds: it
                                 // has 8 bytes
    std::uint64_t change : 2;    // AtomicChange: that of an atomic operation; it may compare, too
    std::uint64_t clock : 12;    // of the thread: its component of its vector clock. At VectorClock::last it counts as
                                 // known to all
    std::uint64_t thread : 10;   // in the block
    std::uint64_t block : 33;    // counted over all launches; 0: there was none
    std::uint32_t phase;         // barriers that the block had passed
    std::uint32_t code;          // the lower half of the address that the call of the hook returns to
};
static_assert(sizeof(Access) == 16);

// The bit-fields are put together by hand: stored one by one and loaded whole they would cost more than all the rest.

[[gnu::always_inline]] inline Access make_access(std::uint64_t block, std::uint32_t phase, unsigned thread,
                                                 std::uint64_t clock, AccessKind kind, std::uintptr_t code,
                                                 bool constant = false, AtomicChange change = AtomicChange::none) {
    return std::bit_cast<Access>(std::array<std::uint64_t, 2>{
        block << 31 | std::uint64_t{thread} << 21 | clock << 9 | std::uint64_t{static_cast<unsigned>(change)} << 7 |
            std::uint64_t{constant} << 6 | static_cast<unsigned>(kind) << 4,
        phase | std::uint64_t{static_cast<std::uint32_t>(code)} << 32});
}

[[gnu::always_inline]] inline Access with_bytes(Access access, unsigned mask) {
    auto words = std::bit_cast<std::array<std::uint64_t, 2>>(access);
    words[0] = (words[0] & ~std::uint64_t{0xf}) | mask;
    return std::bit_cast<Access>(words);
}

/// `now`, with the bytes of `before` if that was the same thread's and nothing can have come between the two.
[[gnu::always_inline]] inline Access joined(Access before, Access now) {
    const auto a = std::bit_cast<std::array<std::uint64_t, 2>>(before),
               b = std::bit_cast<std::array<std::uint64_t, 2>>(now);
    const bool alike = (a[0] ^ b[0]) >> 4 == 0 && before.phase == now.phase;  // but for the bytes
    return alike ? with_bytes(now, before.bytes | now.bytes) : now;
}

inline AccessKind kind_of(Access access) {
    return static_cast<AccessKind>(access.kind);
}
inline bool is_atomic(Access access) {
    return kind_of(access) == AccessKind::atomic || kind_of(access) == AccessKind::atomic_in_block;
}
inline AtomicChange change_of(Access access) {
    return static_cast<AtomicChange>(access.change);
}
inline bool is_of_own_word(Access access) {
    return change_of(access) == AtomicChange::of_own_word;
}
inline bool is_volatile(Access access) {
    return kind_of(access) == AccessKind::through_volatile;
}
/// Whether both add to the word, and only one of them adds to 8 bytes: what it carries over may be lost.
inline bool are_of_two_widths(Access a, Access b) {
    return change_of(a) == AtomicChange::combines && change_of(b) == AtomicChange::combines && a.constant != b.constant;
}
/// Whether both are meant to be seen by others, but are of two blocks, and one of them is atomic for its own block
/// only.
inline bool is_out_of_scope(Access a, Access b) {
    const bool in_block = kind_of(a) == AccessKind::atomic_in_block || kind_of(b) == AccessKind::atomic_in_block;
    return in_block && a.block != b.block && kind_of(a) != AccessKind::plain && kind_of(b) != AccessKind::plain;
}
inline bool same_thread(Access a, Access b) {
    const auto x = std::bit_cast<std::array<std::uint64_t, 2>>(a), y = std::bit_cast<std::array<std::uint64_t, 2>>(b);
    return (x[0] ^ y[0]) >> 21 == 0;  // thread and block
}
inline bool same_warp(Access a, Access b) {
    return a.block == b.block && a.thread / 32 == b.thread / 32;
}
/// 0: of one warp, 1: of one block, 2: of two.
inline unsigned distance(Access a, Access b) {
    const auto x = std::bit_cast<std::array<std::uint64_t, 2>>(a), y = std::bit_cast<std::array<std::uint64_t, 2>>(b);
    const std::uint64_t apart = (x[0] ^ y[0]) >> 26;  // warp, below 32, and block
    return (apart != 0) + (apart >= 32);
}

}  // namespace emulator
