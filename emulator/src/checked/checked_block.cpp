#include "checked_block.h"

#include <utility>

#include "emulator/atomics.h"

namespace emulator {

void ReleaseFence::join(const ReleaseFence& other) {
    if (!other.any) return;
    const std::uint64_t latest = std::max(acquired, other.acquired);
    if (!any || other.phase > phase)
        *this = other;
    else if (other.phase == phase) {
        clock.join(other.clock);
        known = joined(known, other.known);
    }
    acquired = latest;
}

CheckedBlock::CheckedBlock(char* shared_memory)
    : shared(reinterpret_cast<std::uintptr_t>(shared_memory), shared_memory_reserved, false) {
    shared.owner = this;
}

void CheckedBlock::begin(std::uint64_t new_number) {
    number = new_number;
    phase = 0;
    // Kernels without such operations, most of them, are spared the clearing.
    if (std::exchange(clocks_used, false)) clocks.fill({});
    if (std::exchange(fences_used, false)) fences.fill({});
    if (std::exchange(acquires_used, false)) {
        acquired.fill({});
        unfenced.fill(0);
        acquired_by.fill(0);
        locks.fill({});
    }
    if (std::exchange(known_used, false)) known.fill(nullptr);
    barrier_objects.clear();
    named_barriers.clear();
    proxy_fences.clear();
    proxy_fenced_phases = 0;
    matrix_reads.clear();
    cluster_barrier = {};
    if (std::exchange(remote_used, false)) remote_accesses.fill({});
    knows_primary.reset();
    lets_next_begin = false;
    acquired_by_all = {};
    unfenced_by_all = 0;
    fence_in_phase = {};
    fenced_phases = {};
    arrived.reset();
    arrivals = 0;
    in_warp_operation.fill(0);
    ended.fill(0);
    if (std::exchange(any_shuffle_outside, false)) shuffles_outside.fill({});
    mixed_meetings.clear();
}

}  // namespace emulator
