#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "../reports/printed.h"
#include "cluster.h"
#include "emulator/engine.h"
#include "fiber.h"
#include "named_barriers.h"
#include "place.h"

namespace emulator {

/// What the lanes of a warp have brought to the operations in which they wait.
struct Warp {
    unsigned live = 0;     // lanes that may still come: those that have ended leave it when somebody waits for them
    unsigned parked = 0;   // lanes whose threads have waited for something and have not ended yet
    unsigned waiting = 0;  // lanes that wait in an operation
    Fiber* fibers[32];
    Place places[32];
    std::uint64_t values[32];  // brought, and then the result
    unsigned sources[32];

    /// The lanes that wait in the same operation.
    unsigned lanes_at(const Place& place) const {
        unsigned lanes = 0;
        for (unsigned rest = waiting; rest != 0; rest &= rest - 1) {
            const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
            const Place& other = places[lane];
            if (other.operation == place.operation && other.mask == place.mask) lanes |= 1u << lane;
        }
        return lanes;
    }
};

/// Closed addresses on each side of a block's shared memory, so that the checked build knows what is missed by far.
inline constexpr std::size_t shared_margin = checked ? 16u << 20 : 0;

/// A block that has begun and not ended.
struct ResidentBlock : Block {
    ResidentBlock();
    ~ResidentBlock();
    ResidentBlock(const ResidentBlock&) = delete;
    ResidentBlock& operator=(const ResidentBlock&) = delete;

    /// What its threads have printed up to now comes before what others will print.
    void keep_prints() {
        if (!prints.empty()) keep_printed(prints.take_all());
    }

    bool active = false;
    uint3 index{};  // blockIdx
    std::vector<std::uint16_t>
        shuffled;        // EMULATOR_SHUFFLE: numbers of threads that have not started, the next one last
    FiberQueue ready;    // may go on
    FiberQueue waiting;  // at the block's barrier
    unsigned arrived = 0;
    unsigned expected = 0;    // threads at the barrier that surely are all; the fewer that are left, the later known
    unsigned votes = 0;       // of the threads that have arrived
    unsigned last_votes = 0;  // when the barrier was last released
    unsigned spins = 0;       // calls of relax() in a row
    unsigned idle_turns = 0;  // threads that have had their turn and only waited, since the block was entered
    unsigned idle_spins = 0;  // the same, since anything else was done
    unsigned idle_at_barriers = 0;       // of these the last ones, by threads that only others of the block can release
    std::uint64_t relaxed_progress = 0;  // what had been done then
    bool any_parked = false;             // a thread of this block has waited
    bool at_grid_barrier = false;        // one of its threads waits there for all
    Warp warps[32];
    std::unique_ptr<NamedBarriers> named;  // once a thread has come to one
    Prints prints;
    ClusterMember member;
#ifdef EMULATOR_CHECKED
    std::unique_ptr<struct CheckedBlock> checked;
#endif
};

}  // namespace emulator
