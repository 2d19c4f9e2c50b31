#pragma once

#include <cstdint>

#include "address_checks.h"
#include "happens_before.h"
#include "launch.h"

namespace emulator {

/// Who comes to the barrier of a cluster, and whether the blocks whose shared memory others use are there meanwhile.
class ClusterChecks {
  public:
    ClusterChecks(CheckedLaunch& launch, HappensBefore& order) : launch_(launch), order_(order) {}

    void thread_arrives(ResidentBlock& block, std::uintptr_t code);
    void opens_without_all(const Cluster& cluster);

    /// The present thread is about to touch memory: perhaps another block's.
    void meet(const ShadowMemory& shadow, const Attempt& attempt, Access now) {
        if (shadow.owner != nullptr && shadow.owner != launch_.block) meet_neighbour(*shadow.owner, attempt, now);
    }
    /// The present block, one of a cluster, has ended.
    void block_ends(const ResidentBlock& block);

  private:
    void meet_neighbour(CheckedBlock& owner, const Attempt& attempt, Access now);
    const ResidentBlock& resident_of(const CheckedBlock& block) const;

    CheckedLaunch& launch_;
    HappensBefore& order_;
    std::uintptr_t barrier_code_ = 0;       // where a thread arrived last
    const char* told_absent_in_ = nullptr;  // the kernel of which it was said last that not all come to a barrier
};

}  // namespace emulator
