#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <vector>

#include "emulator/types.h"
#include "fiber.h"

namespace emulator {

struct ResidentBlock;

/// Blocks of a cluster that one worker runs. They begin together and are kept until the last one has ended, since the
/// others may use the shared memory of each.
struct Cluster {
    /// Of one block, in a launch without clusters.
    void begin_alone(ResidentBlock& block);

    std::vector<ResidentBlock*> blocks;  // by rank
    unsigned live = 0;                   // blocks that have not ended
    unsigned arrived = 0;                // threads at the barrier
    unsigned expected = 0;               // threads of all its blocks
    std::uint64_t opened_at = 0;         // the checked build's time when the barrier opened last
};

/// Where the threads of a block stand with the barrier of its cluster.
struct ClusterMember {
    static constexpr unsigned max_threads = 1024;

    Cluster* cluster = nullptr;
    unsigned rank = 0;
    FiberQueue waiting;                // threads, for the barrier to open
    std::bitset<max_threads> arrived;  // in the present phase
    std::bitset<max_threads> owing;    // have arrived, and not waited for that yet
    unsigned waiters = 0;              // how many are in `waiting`

    void begin(Cluster* in, unsigned with_rank) {
        cluster = in;
        rank = with_rank;
        waiting.clear();
        arrived.reset();
        owing.reset();
        waiters = 0;
    }
};

}  // namespace emulator
