#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "access.h"
#include "findings.h"
#include "happens_before.h"
#include "initialisation_checks.h"
#include "launch.h"
#include "shadow_memory.h"

namespace emulator {

/// What to do where an asynchronous copy and an access are in no order.
extern const char* const order_of_copies;

/// Holds each access against the last ones to the same words: see checker.h.
class RaceDetection {
  public:
    RaceDetection(CheckedLaunch& launch, HappensBefore& order, InitialisationChecks& initialisation)
        : launch_(launch), order_(order), initialisation_(initialisation) {}

    void launch_begins() { launch_is_over_ = false; }
    void launch_ends();

    void read(ShadowMemory& shadow, std::uintptr_t address, std::size_t bytes, Access access);
    void write(ShadowMemory& shadow, std::uintptr_t address, std::size_t bytes, Access access);

    /// A store of what was computed from a value that another thread has replaced since.
    void update_is_late(const ShadowMemory& shadow, std::uintptr_t address, std::size_t bytes, Access access);

    /// A load that may pass by what the launch has stored, even if that was ordered before it.
    void read_only(const ShadowMemory& shadow, std::uintptr_t address, std::size_t bytes, Access access);

    // The same of so many bytes that lie at a multiple of them, in shared memory or not, by a plain access, if there is
    // no other thread's to hold it against. False: there may be.
    template <std::size_t bytes, bool in_shared>
    bool read_alone(ShadowMemory& shadow, std::uintptr_t address, Access access);
    template <std::size_t bytes, bool in_shared>
    bool write_alone(ShadowMemory& shadow, std::uintptr_t address, Access access);

    bool is_write_pending() const { return pending_.bytes != 0; }

    /// The present thread has stored what write() told of.
    void complete_write() {
        if (pending_.bytes != 0) complete_pending_write();
    }

    /// write() told of an asynchronous copy, which comes later. `repeated`: the one before to that place was the same.
    void complete_write_of_copy(bool repeated);
    /// What that code reads and writes are asynchronous copies.
    void note_copy(std::uintptr_t code) { copies_.insert(static_cast<std::uint32_t>(code)); }

    /// What that code reads are the factors of a wgmma.
    void note_matrix_read(std::uintptr_t code) { matrix_reads_.insert(static_cast<std::uint32_t>(code)); }

    /// The present thread stores by that atomic function what it has computed from a plain load of the same word.
    void note_own_operand(std::uintptr_t code, std::uint64_t bits) {
        OwnOperands& own = own_operands_.try_emplace(static_cast<std::uint32_t>(code), OwnOperands{bits}).first->second;
        own.differ |= own.first != bits;
    }

    bool is_by_copy(Access access) const { return copies_.contains(access.code); }

    /// Whether the present thread loads the same through volatile as the last time, from the same place: it waits.
    bool loads_again(const volatile void* address, std::size_t bytes, const void* code);

  private:
    // One of the two accesses of a possible race, and whether it stores.
    struct Side {
        Access access;
        bool writes;
    };
    struct Value {
        std::uint64_t low = 0, high = 0;
        bool operator==(const Value&) const = default;
    };
    // The hook of a store comes before it. Whether it changed the value is known when the next thing happens.
    struct PendingWrite {
        std::uintptr_t address = 0;
        std::size_t bytes = 0;  // 0: there is none
        Value before;
        Side earlier{}, now{};
        std::uintptr_t word = 0;  // the address of the one that they share
    };
    // Two accesses of one warp, one of them through volatile: right only while lanes ran in lockstep.
    struct LockstepPair {
        Side before, now;
        std::uintptr_t word;
    };
    struct OwnOperands {
        std::uint64_t first;
        bool differ = false;
        std::unordered_set<std::uint32_t> loads{};  // code of those that an atomic function followed
    };
    struct VolatileLoad {
        std::uint64_t thread = 0;
        const volatile void* address = nullptr;
        const void* code = nullptr;
        unsigned char found[16] = {};
    };

    bool conflicts(Access a, Access b, const ShadowMemory& shadow) const;
    [[gnu::always_inline]] bool races(const ShadowMemory& shadow, Access before, Access now) const {
        return counts(shadow, before) && (before.bytes & now.bytes) != 0 && !same_thread(before, now) &&
               conflicts(before, now, shadow) && !order_.ordered(shadow, before, now);
    }
    static bool is_shared(const ShadowMemory& shadow) { return shadow.owner != nullptr; }
    // Whether it may be of this launch's time; in shared memory, where one block comes after another, of this block or
    // its cluster. What the block did there before its last barrier is ordered before all that comes; an atomic
    // operation may have been that of a lock, though, which a plain store frees.
    template <bool in_shared>
    [[gnu::always_inline]] bool counts(Access before) const {
        if (!in_shared) return launch_.counts(before);
        if (launch_.cluster != nullptr) return before.block != 0 && launch_.is_in_cluster(before);
        const CheckedBlock& block = *launch_.block;
        return before.block == block.number && (before.phase == block.phase || is_atomic(before));
    }
    bool counts(const ShadowMemory& shadow, Access before) const {
        return is_shared(shadow) ? counts<true>(before) : counts<false>(before);
    }
    // Two accesses are kept, and `now` is one of them. Whether the other one is not the last before it, but one of a
    // thread farther away, which nothing orders before `now`: what comes is more likely to be ordered with its own warp
    // and its own block.
    template <bool in_shared>
    [[gnu::always_inline]] bool stays(const ShadowMemory& shadow, Access other, Access last, Access now) const {
        if (distance(other, now) <= distance(last, now) || !counts<in_shared>(other)) return false;
        if (order_.has_only_barriers())
            return other.block == now.block ? other.phase == now.phase : launch_.is_recent(other);
        return !order_.ordered(shadow, other, now);
    }
    // Another thread has read the word, too.
    template <bool in_shared>
    [[gnu::noinline]] void note_another_read(ShadowMemory& shadow, std::size_t word, Access now) const {
        Access &read = shadow.last_read(word), &other = shadow.other_read(word);
        if (!stays<in_shared>(shadow, other, read, now)) other = read;
        read = now;
    }
    template <std::size_t bytes>
    static unsigned mask_of(std::uintptr_t address) {
        return bytes >= 4 ? 0xf : ((1u << bytes) - 1) << address % 4;
    }
    void hold_against_writes(ShadowMemory& shadow, std::size_t word, Access now);
    // False: they may race.
    template <bool in_shared>
    [[gnu::always_inline]] bool is_one_more_atomic(ShadowMemory& shadow, std::size_t word, Access now) const;
    void hold_against_all(ShadowMemory& shadow, std::size_t word, Access now, std::uintptr_t address,
                          std::size_t bytes);
    [[gnu::noinline]] void hold_against_each(ShadowMemory& shadow, std::size_t word, Access now, std::uintptr_t address,
                                             std::size_t bytes);
    void found(Side before, Side now, std::uintptr_t word);
    void found_by_write(Side before, Access now, std::uintptr_t word, std::uintptr_t address, std::size_t bytes);
    void complete_pending_write();
    void report_race(Side before, Side now, std::uintptr_t word, const char* note = "");
    bool is_new_race(std::uintptr_t code, std::uintptr_t now_code);
    void learn_looks(Access read, Access atomic);
    std::string what_is_missing(Access before, Access now) const;
    bool is_copy(Side side) const { return is_by_copy(side.access); }
    bool is_matrix_read(Access access) const { return matrix_reads_.contains(access.code); }
    bool has_read(Access store, std::uintptr_t word) const;
    std::string usual_cause(Side before, Side now, std::uintptr_t word) const;
    Finding finding(Side before, Side now, std::uintptr_t word, const char* note) const;
    static Value value_at(std::uintptr_t address, std::size_t bytes);

    CheckedLaunch& launch_;
    HappensBefore& order_;
    InitialisationChecks& initialisation_;
    bool launch_is_over_ = false;
    PendingWrite pending_;
    // Plain loads beside atomic operations of others, by the code of both: races, unless the load turns out to be a
    // look that decides about an atomic operation.
    std::map<std::pair<std::uint32_t, std::uint32_t>, Finding> loads_beside_atomics_;
    std::unordered_set<std::uint32_t> looks_;  // code of loads that, in some thread, an atomic operation followed
    // By the code of the atomic functions. If all threads store the same, nothing is lost.
    std::map<std::uint32_t, OwnOperands> own_operands_;
    std::vector<LockstepPair> lockstep_pairs_;         // races, unless one of the two is in a loop that waits
    std::unordered_set<std::uint32_t> waiting_loops_;  // code of loads through volatile that found the same again
    VolatileLoad last_volatile_load_;
    std::unordered_set<std::uint32_t> copies_;        // code of asynchronous copies
    std::unordered_set<std::uint32_t> matrix_reads_;  // and of wgmmas
    // Their races, by the code of both. Without its wait a copy is in flight for some threads and races with others:
    // that is one mistake, and the wait is what to say.
    std::map<std::pair<std::uintptr_t, std::uintptr_t>, Finding> races_of_copies_;
};

// Whether two accesses that nothing orders, one of them a write, go wrong. What goes through volatile is meant to be
// seen by others. Only within a warp, and in shared memory, it was also a way to do without barriers, as long as lanes
// ran in lockstep: until 2017.
inline bool RaceDetection::conflicts(Access a, Access b, const ShadowMemory& shadow) const {
    if (is_out_of_scope(a, b)) return true;
    if (is_atomic(a) && is_atomic(b)) return are_of_two_widths(a, b);
    if (!is_volatile(a) && !is_volatile(b)) return true;
    if (order_.is_strict() && (kind_of(a) == AccessKind::plain || kind_of(b) == AccessKind::plain)) return true;
    return is_shared(shadow) && same_warp(a, b) && !is_atomic(a) && !is_atomic(b);
}

template <std::size_t bytes, bool in_shared>
[[gnu::always_inline]] inline bool RaceDetection::read_alone(ShadowMemory& shadow, std::uintptr_t address,
                                                             Access access) {
    const std::size_t first = (address - shadow.begin()) / 4, end = first + (bytes + 3) / 4;
    for (std::size_t word = first; word < end; ++word) {
        const Access written = shadow.last_write(word);
        if (counts<in_shared>(written) &&
            (!same_thread(written, access) || counts<in_shared>(shadow.other_write(word))))
            return false;
    }
    for (std::size_t word = first; word < end; ++word) {
        Access& read = shadow.last_read(word);
        const Access now = with_bytes(access, mask_of<bytes>(address));
        if (counts<in_shared>(read) && !same_thread(read, now)) [[unlikely]] {
            note_another_read<in_shared>(shadow, word, now);
            continue;
        }
        read = bytes < 4 ? joined(read, now) : now;
        // The next thread is likely to read the next bytes of the word.
        if (bytes < 4) __builtin_prefetch(&shadow.other_read(word), 1);
    }
    return true;
}

template <std::size_t bytes, bool in_shared>
[[gnu::always_inline]] inline bool RaceDetection::write_alone(ShadowMemory& shadow, std::uintptr_t address,
                                                              Access access) {
    const std::size_t first = (address - shadow.begin()) / 4, end = first + (bytes + 3) / 4;
    for (std::size_t word = first; word < end; ++word) {
        const Access written = shadow.last_write(word), read = shadow.last_read(word);
        const bool write_counts = counts<in_shared>(written), read_counts = counts<in_shared>(read);
        if (!write_counts && !read_counts) continue;
        if (write_counts && (!same_thread(written, access) || is_atomic(written))) return false;
        if (read_counts && !same_thread(read, access)) return false;
        if (counts<in_shared>(shadow.other_write(word)) || counts<in_shared>(shadow.other_read(word))) return false;
    }
    for (std::size_t word = first; word < end; ++word) {
        Access& written = shadow.last_write(word);
        const Access now = with_bytes(access, mask_of<bytes>(address));
        written = bytes < 4 ? joined(written, now) : now;
    }
    return true;
}

[[gnu::always_inline]] inline void RaceDetection::read(ShadowMemory& shadow, std::uintptr_t address, std::size_t bytes,
                                                       Access access) {
    shadow.for_each_word(
        address, bytes, [&](std::size_t word, unsigned mask) __attribute__((always_inline)) {
            const Access now = with_bytes(access, mask);
            if (counts(shadow, shadow.last_write(word))) hold_against_writes(shadow, word, now);
            Access& read = shadow.last_read(word);
            if (!counts(shadow, read) || same_thread(read, now))
                read = joined(read, now);
            else
                is_shared(shadow) ? note_another_read<true>(shadow, word, now)
                                  : note_another_read<false>(shadow, word, now);
        });
}

[[gnu::always_inline]] inline void RaceDetection::write(ShadowMemory& shadow, std::uintptr_t address, std::size_t bytes,
                                                        Access access) {
    shadow.for_each_word(
        address, bytes, [&](std::size_t word, unsigned mask) __attribute__((always_inline)) {
            const Access now = with_bytes(access, mask);
            Access& written = shadow.last_write(word);
            if (counts(shadow, written) || counts(shadow, shadow.last_read(word)))
                hold_against_all(shadow, word, now, address, bytes);
            written = joined(written, now);
        });
}

}  // namespace emulator
