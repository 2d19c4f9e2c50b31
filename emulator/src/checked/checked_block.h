#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "async_copies.h"
#include "block_clock.h"
#include "shadow_memory.h"
#include "vector_clock.h"

namespace emulator {

/// What counts within a block, and what for other blocks, too.
template <class T>
struct OfScope {
    T block{}, all{};

    const T& get(bool for_other_block) const { return for_other_block ? all : block; }
};

/// What a thread knew when it passed __threadfence(): what a release behind the fence hands on.
struct ReleaseFence {
    std::uint32_t phase = 0;
    VectorClock clock;
    bool any = false;
    SharedClock known{};         // of other warps, by barriers that are objects
    std::uint64_t acquired = 0;  // when the thread had last done an acquire: the releases in its block before that

    void join(const ReleaseFence& other);
};

/// A cuda::barrier of a block. Who waits for a phase knows what those did who had arrived in it.
struct BarrierObject {
    struct Arrived {
        SharedClock known;
        OfScope<SharedClock> fenced;  // before fences
        OfScope<std::uint64_t> acquired;
    };
    Arrived arriving, completed;
    std::uint64_t phases = 0;     // that are over
    std::bitset<1024> arrivers;   // threads of the block
    bool has_neighbours = false;  // other blocks of the cluster have changed it
    std::vector<std::unique_ptr<AsyncCopy>> copies;
};

/// What the checker knows about a block that has begun and not ended.
struct CheckedBlock {
    explicit CheckedBlock(char* shared_memory);

    static constexpr unsigned max_threads = 1024, warps = 32, lanes = VectorClock::lanes;

    /// Another block begins here, with that number. What its shared memory holds is unchanged.
    void begin(std::uint64_t number);

    /// Of a thread that is running.
    std::uint64_t clock(unsigned thread) const { return clocks_used ? clocks[thread][thread % lanes] : 0u; }

    std::uint64_t number = 0;  // counted over all launches
    std::uint32_t phase = 0;   // barriers passed
    ShadowMemory shared;

    // happens_before.h
    std::array<VectorClock, max_threads> clocks;
    std::array<OfScope<ReleaseFence>, max_threads> fences;                 // the latest ones
    std::array<OfScope<std::uint64_t>, max_threads> acquired{};            // when the thread last did an acquire
    std::array<std::uintptr_t, max_threads> acquired_by{}, acquired_at{};  // by which instruction, at which address
    OfScope<std::uint64_t> acquired_by_all;     // when any thread did its last one before the last barrier
    std::bitset<max_threads> acquires_at_once;  // whether its latest one was an acquire, without a fence
    // The same of those that are acquires only once a fence has followed them, and none has yet.
    std::array<std::uint64_t, max_threads> unfenced{};
    std::uint64_t unfenced_by_all = 0;
    bool clocks_used = false, fences_used = false, acquires_used = false;
    OfScope<bool> fence_in_phase;          // of any thread since the last barrier
    OfScope<std::uint32_t> fenced_phases;  // those before the last barrier that a fence of any thread has followed

    std::bitset<max_threads> knows_primary;  // threads that know that the kernel ahead of this one has ended
    bool lets_next_begin = false;            // Some thread has called cudaTriggerProgrammaticLaunchCompletion().

    std::vector<ThreadCopies> copies, bulk_copies;  // of each thread, once there is one: async_copies.h
    std::map<unsigned, ReleaseFence> proxy_fences;  // the latest of each thread: proxy_checks.h
    std::uint32_t proxy_fenced_phases = 0;          // those before are fenced

    // What the wgmmas of each thread have read, by groups that are not waited for; the last one is still open.
    struct MatrixRead {
        std::uintptr_t address, code;
        unsigned bytes;
    };
    std::vector<std::deque<std::vector<MatrixRead>>> matrix_reads;

    std::map<std::uintptr_t, BarrierObject> barrier_objects;  // by address
    std::array<SharedClock, max_threads> known;               // to each thread, by barriers that are objects
    bool known_used = false;

    std::map<unsigned, BarrierObject> named_barriers;  // by number

    // Clusters: what has arrived at the cluster's barrier, and the last accesses of the other blocks, by their rank.
    BarrierObject cluster_barrier;
    struct RemoteAccess {
        Access access{};
        std::uintptr_t address = 0, code = 0;
        std::size_t bytes = 0;
        bool writes = false;
    };
    std::array<RemoteAccess, 16> remote_accesses{};
    bool remote_used = false;

    // barrier_checks.h
    std::bitset<max_threads> arrived;  // at the present barrier
    unsigned arrivals = 0;
    unsigned first_arrival = 0;       // a thread
    std::uintptr_t barrier_code = 0;  // where it is

    // deadlock_report.h
    struct Lock {
        std::uintptr_t address = 0, code = 0;
        bool taken = false;  // was 0 at the time
    };
    // The words that the thread has tried to take by an atomicCAS() or atomicExch() and not given back, the latest
    // first.
    std::array<std::array<Lock, 2>, max_threads> locks{};

    // warp_mask_checks.h
    struct WarpOperationCall {
        unsigned mask = 0;
        std::uintptr_t code = 0;
    };
    std::array<WarpOperationCall, max_threads> warp_operations;  // in which the thread waits, or was last
    std::array<unsigned, warps> in_warp_operation;               // lanes that wait in one
    struct ShuffleOutside {
        std::uintptr_t code = 0;
        unsigned lane = 0, source = 0, mask = 0;
    };
    std::array<std::uintptr_t, max_threads> active_masks{};  // where the thread asked for one
    std::array<ShuffleOutside, warps> shuffles_outside{};    // the latest from a lane that the mask does not name
    bool any_shuffle_outside = false;
    std::array<unsigned, warps> ended;  // lanes that have come to the end of the kernel's text
    // Lanes of one mask that met although they had come to two places.
    struct MixedMeeting {
        std::array<std::uintptr_t, 2> first, last;  // the places: of the latest, and of the one from which on it was so
        std::array<unsigned, 2> lanes;              // who was where in the first
    };
    std::map<std::pair<unsigned, unsigned>, MixedMeeting> mixed_meetings;  // by warp and mask
};

}  // namespace emulator
