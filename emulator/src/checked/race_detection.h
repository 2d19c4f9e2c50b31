#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "access.h"
#include "happens_before.h"
#include "initialisation_checks.h"
#include "launch.h"
#include "shadow_memory.h"

namespace emulator {

/// Holds each access against the last ones to the same words: see checker.h.
class RaceDetection {
  public:
    RaceDetection(CheckedLaunch& launch, HappensBefore& order, InitialisationChecks& initialisation)
        : launch_(launch), order_(order), initialisation_(initialisation) {}

    void launch_begins() { launch_is_over_ = false; }
    void launch_ends();

    void read(ShadowMemory& shadow, std::uintptr_t address, std::size_t bytes, Access access);
    void write(ShadowMemory& shadow, std::uintptr_t address, std::size_t bytes, Access access);

    /// Other threads have had their turn: no atomic operation will show any more that a guess was one.
    void end_guesses();

    /// Whether the present thread loads the same through volatile as the last time, from the same place: it waits.
    bool loads_again(const volatile void* address, std::size_t bytes, const void* code);

  private:
    // A plain load of what another thread has changed atomically, and not ordered with that.
    struct Guess {
        ShadowMemory* shadow;
        std::size_t word;
        Access change, read;
    };
    // Two accesses of one warp, one of them through volatile: right only while lanes ran in lockstep.
    struct LockstepPair {
        Access before, now;
        bool before_wrote, now_writes;
        std::uintptr_t address;
    };
    struct VolatileLoad {
        std::uint64_t thread = 0;
        const volatile void* address = nullptr;
        const void* code = nullptr;
        unsigned char found[16] = {};
    };

    bool conflicts(Access a, Access b, const ShadowMemory& shadow) const;
    bool races(const ShadowMemory& shadow, Access before, Access now) const {
        return launch_.is_recent(before) && (before.bytes & now.bytes) != 0 && !same_thread(before, now) &&
               conflicts(before, now, shadow) && !order_.ordered(shadow, before, now);
    }
    bool is_shared(const ShadowMemory& shadow) const { return &shadow == &launch_.block->shared; }
    void report_race(Access before, bool before_wrote, Access now, bool now_writes, std::uintptr_t address);
    void check_guesses(const ShadowMemory& shadow, std::size_t word, const Access* reads, Access atomic);

    CheckedLaunch& launch_;
    HappensBefore& order_;
    InitialisationChecks& initialisation_;
    bool launch_is_over_ = false;
    std::vector<Guess> guesses_;
    std::unordered_set<std::uint32_t>
        good_guesses_;                          // code of loads that, in some thread, an atomic operation followed
    std::vector<LockstepPair> lockstep_pairs_;  // races, unless one of the two is in a loop that waits
    std::unordered_set<std::uint32_t> waiting_loops_;  // code of loads through volatile that found the same again
    VolatileLoad last_volatile_load_;
};

// Whether two accesses that nothing orders, one of them a write, go wrong. What goes through volatile is meant to be
// seen by others. Only within a warp, and in shared memory, it was also a way to do without barriers, as long as lanes
// ran in lockstep: until 2017.
inline bool RaceDetection::conflicts(Access a, Access b, const ShadowMemory& shadow) const {
    if (is_atomic(a) && is_atomic(b))
        return a.block != b.block &&
               (kind_of(a) == AccessKind::atomic_in_block || kind_of(b) == AccessKind::atomic_in_block);
    if (is_volatile(a) || is_volatile(b)) return is_shared(shadow) && same_warp(a, b) && !is_atomic(a) && !is_atomic(b);
    return true;
}

[[gnu::always_inline]] inline void RaceDetection::read(ShadowMemory& shadow, std::uintptr_t address, std::size_t bytes,
                                                       Access access) {
    shadow.for_each_word(
        address, bytes, [&](std::size_t word, unsigned mask) __attribute__((always_inline)) {
            const Access now = with_bytes(access, mask);
            const Access written = shadow.last_write(word);
            if (races(shadow, written, now)) {
                if (!is_atomic(written))
                    report_race(written, true, now, false, shadow.begin() + 4 * word);
                else if (is_shared(shadow))
                    guesses_.push_back({&shadow, word, written, now});
            }
            Access* reads = shadow.last_reads(word);
            if (!same_thread(reads[0], now)) reads[1] = reads[0];
            reads[0] = now;
        });
}

[[gnu::always_inline]] inline void RaceDetection::write(ShadowMemory& shadow, std::uintptr_t address, std::size_t bytes,
                                                        Access access) {
    shadow.for_each_word(
        address, bytes, [&](std::size_t word, unsigned mask) __attribute__((always_inline)) {
            const Access now = with_bytes(access, mask);
            Access& written = shadow.last_write(word);
            const Access* reads = shadow.last_reads(word);
            if (is_atomic(now)) check_guesses(shadow, word, reads, now);
            if (races(shadow, written, now)) {
                report_race(written, true, now, true, shadow.begin() + 4 * word);
            } else if (!is_atomic(now)) {
                for (const Access* read : {reads, reads + 1})
                    if (races(shadow, *read, now)) {
                        report_race(*read, false, now, true, shadow.begin() + 4 * word);
                        break;
                    }
            }
            // Whoever took a lock by an atomic operation may free it by a plain store behind a fence.
            const bool frees = kind_of(now) == AccessKind::plain && is_atomic(written) && same_thread(written, now) &&
                               launch_.block->fences[now.thread].any;
            written = now;
            if (frees) {
                written.kind = static_cast<unsigned>(AccessKind::atomic);
                order_.release(shadow.begin() + 4 * word);
            }
        });
}

}  // namespace emulator
