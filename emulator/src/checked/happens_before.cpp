#include "happens_before.h"

#include <algorithm>
#include <cstdlib>

#include "../engine/worker.h"

namespace emulator {

bool HappensBefore::is_strict() {
    static const char* setting = std::getenv("EMULATOR_ACQUIRE_FENCES");
    return setting != nullptr && *setting != 0;
}

void HappensBefore::launch_begins() {
    loading_.clear();
    releases_.clear();
    clocks_.clear();
    address_clocks_.clear();
}

void HappensBefore::grid_barrier_opens() {
    releases_.clear();
    clocks_.clear();
    address_clocks_.clear();
}

void HappensBefore::barrier_opens(CheckedBlock& block) {
    if (std::exchange(block.clocks_used, false)) block.clocks.fill({});
    if (block.acquires_used) {
        block.acquired_by_all = std::max(block.acquired_by_all, *std::ranges::max_element(block.acquired));
        block.unfenced_by_all = std::max(block.unfenced_by_all, *std::ranges::max_element(block.unfenced));
    }
    if (block.fence_in_phase) {
        block.fence_before_phase = true;
        block.fence_for_all_before_phase |= block.fence_for_all_in_phase;
        block.fence_phase = block.phase;
    }
    block.fence_in_phase = block.fence_for_all_in_phase = false;
    ++block.phase;
}

void HappensBefore::lanes_meet(CheckedBlock& block, unsigned warp, unsigned lanes) {
    block.clocks_used = true;
    VectorClock clock;
    ReleaseFence fence;
    std::uint64_t acquired = 0, unfenced = 0;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest)), thread = 32 * warp + lane;
        block.clocks[thread].tick(lane);
        clock.join(block.clocks[thread]);
        acquired = std::max(acquired, block.acquired[thread]);
        unfenced = std::max(unfenced, block.unfenced[thread]);
        if (block.fences_used) fence.join(block.fences[thread]);
    }
    // What lay before the fence of one of them does so for all.
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const unsigned thread = 32 * warp + static_cast<unsigned>(__builtin_ctz(rest));
        block.clocks[thread] = clock;
        block.acquired[thread] = acquired;
        block.unfenced[thread] = unfenced;
        if (block.fences_used) block.fences[thread] = fence;
    }
}

void HappensBefore::fence(bool for_all_blocks) {
    CheckedBlock& block = *launch_.block;
    const unsigned thread = thread_number(threadIdx);
    block.clocks_used = block.fences_used = true;
    block.clocks[thread].tick(thread % 32);
    ReleaseFence& fence = block.fences[thread];
    fence.any = true;
    fence.for_all_blocks |= for_all_blocks;
    fence.phase = block.phase;
    fence.clock = block.clocks[thread];
    block.fence_in_phase = true;
    block.fence_for_all_in_phase |= for_all_blocks;
    if (for_all_blocks && is_strict())
        block.acquired[thread] = std::max({block.acquired[thread], block.unfenced[thread], block.unfenced_by_all});
}

void HappensBefore::release(std::uintptr_t address) {
    const CheckedBlock& block = *launch_.block;
    const unsigned thread = thread_number(threadIdx);
    const ReleaseFence& fence = block.fences[thread];
    if (!fence.any && !block.fence_before_phase) return;
    std::vector<Release>& releases = releases_[block.number];
    releases.push_back({++time_, thread, block.phase, fence, block.fence_before_phase, block.fence_for_all_before_phase,
                        block.fence_phase});
    if (!has_few_blocks()) return;
    SparseVectorClock& clock = clocks_[block.number];
    clock.set(block.number, releases.size());
    address_clocks_[address].join(clock);
}

void HappensBefore::acquire(std::uintptr_t address, std::uintptr_t code) {
    CheckedBlock& block = *launch_.block;
    const unsigned thread = thread_number(threadIdx);
    block.acquires_used = true;
    block.acquired_by[thread] = code;
    block.acquired_at[thread] = address;
    acquire_again();
}

// What is there may have been written until now: others had their turn.
void HappensBefore::acquire_again() {
    CheckedBlock& block = *launch_.block;
    const unsigned thread = thread_number(threadIdx);
    (is_strict() ? block.unfenced : block.acquired)[thread] = ++time_;
    if (const auto found = address_clocks_.find(block.acquired_at[thread]); found != address_clocks_.end())
        clocks_[block.number].join(found->second);
}

void HappensBefore::begin_volatile_load(std::uintptr_t address, std::uintptr_t code) {
    acquire(address, code);
    loading_.push_back(launch_.present_thread());
}

void HappensBefore::complete_this_load() {
    if (std::erase(loading_, launch_.present_thread()) > 0) acquire_again();
}

// Which blocks know of which is followed as long as that is a small table.
bool HappensBefore::has_few_blocks() const {
    return launch_.grid->blocks <= 1024;
}

bool HappensBefore::released_and_acquired(Access before, Access now) const {
    const auto found = releases_.find(before.block);
    if (found == releases_.end()) return false;
    const CheckedBlock& block = *launch_.block;
    const std::uint64_t acquired = std::max(block.acquired[now.thread], block.acquired_by_all);
    const bool other_block = before.block != now.block;
    std::size_t known = found->second.size();
    if (other_block && has_few_blocks()) {
        const auto clock = clocks_.find(now.block);
        known = clock == clocks_.end() ? 0 : clock->second[before.block];
    }
    const auto end = found->second.begin() + static_cast<std::ptrdiff_t>(known);
    return std::any_of(found->second.begin(), end, [&](const Release& r) {
        if (r.time >= acquired) return false;
        // The release itself.
        if (is_atomic(before) && before.thread == r.thread && before.phase <= r.phase) return true;
        if (r.fence.any && (!other_block || r.fence.for_all_blocks)) {
            if (before.phase < r.fence.phase) return true;
            if (before.phase == r.fence.phase && before.thread / 32 == r.thread / 32 &&
                r.fence.clock[before.thread % 32] > before.clock)
                return true;
        }
        return r.earlier_fence && (!other_block || r.earlier_fence_for_all) && before.phase <= r.earlier_phase;
    });
}

}  // namespace emulator
