#include "happens_before.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "../engine/worker.h"
#include "../settings.h"
#include "active_checker.h"
#include "host/unordered_work.h"

namespace emulator {

bool atomic_results_count = false;

namespace {

void join(OfScope<std::uint64_t>& time, const OfScope<std::uint64_t>& other) {
    time.block = std::max(time.block, other.block);
    time.all = std::max(time.all, other.all);
}

}  // namespace

// Behind the grid's barrier, what the launch did before it; else, an earlier launch, unless streams leave the two
// unordered, or this one may begin before that one has ended.
bool HappensBefore::is_before_launch(const ShadowMemory& shadow, Access before, Access now) const {
    return !launch_.is_earlier(before) || before.block < shadow.first_block ||
           (launch_.block->knows_primary[now.thread] && UnorderedWork::instance().is_behind_wait(before.block)) ||
           UnorderedWork::instance().is_ordered(before.block);
}

void HappensBefore::await_primary() {
    UnorderedWork::instance().waits_for_primary(launch_.block->lets_next_begin);
    primary_awaited_ = true;
    atomic_results_count = true;
    may_know_primary(thread_number(threadIdx));
}

// The thread learns from others, perhaps from one that has waited for the kernel ahead.
void HappensBefore::may_know_primary(unsigned thread) {
    if (primary_awaited_) launch_.block->knows_primary.set(thread);
}

void HappensBefore::launch_begins() {
    strict_ = value_of<settings::acquire_fences>();
    atomic_results_count = watching;
    primary_awaited_ = false;
    loading_.clear();
    releases_.clear();
    clocks_.clear();
    unfenced_clocks_.clear();
    address_clocks_.clear();
}

void HappensBefore::grid_barrier_opens() {
    releases_.clear();
    clocks_.clear();
    unfenced_clocks_.clear();
    address_clocks_.clear();
}

void HappensBefore::barrier_opens(CheckedBlock& block) {
    if (std::exchange(block.clocks_used, false)) block.clocks.fill({});
    if (block.acquires_used) {
        for (const OfScope<std::uint64_t>& acquired : block.acquired) join(block.acquired_by_all, acquired);
        block.unfenced_by_all = std::max(block.unfenced_by_all, *std::ranges::max_element(block.unfenced));
    }
    if (block.knows_primary.any()) block.knows_primary.set();
    ++block.phase;
    if (block.fence_in_phase.block) block.fenced_phases.block = block.phase;
    if (block.fence_in_phase.all) block.fenced_phases.all = block.phase;
    block.fence_in_phase = {};
}

void HappensBefore::lanes_meet(CheckedBlock& block, unsigned warp, unsigned lanes) {
    block.clocks_used = true;
    VectorClock clock;
    OfScope<ReleaseFence> fence;
    OfScope<std::uint64_t> acquired;
    std::uint64_t unfenced = 0;
    SharedClock known;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest)), thread = 32 * warp + lane;
        block.clocks[thread].tick(lane);
        clock.join(block.clocks[thread]);
        join(acquired, block.acquired[thread]);
        unfenced = std::max(unfenced, block.unfenced[thread]);
        if (block.known_used) known = joined(known, of_phase(block.known[thread], block.phase));
        if (!block.fences_used) continue;
        fence.block.join(block.fences[thread].block);
        fence.all.join(block.fences[thread].all);
    }
    const std::bitset<CheckedBlock::max_threads> here = std::bitset<CheckedBlock::max_threads>(lanes) << 32 * warp;
    if (primary_awaited_ && (block.knows_primary & here).any()) block.knows_primary |= here;
    // What lay before the fence of one of them does so for all.
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const unsigned thread = 32 * warp + static_cast<unsigned>(__builtin_ctz(rest));
        block.clocks[thread] = clock;
        block.acquired[thread] = acquired;
        block.unfenced[thread] = unfenced;
        if (block.known_used) block.known[thread] = known;
        if (block.fences_used) block.fences[thread] = fence;
    }
}

ReleaseFence HappensBefore::known_here() {
    CheckedBlock& block = *launch_.block;
    const unsigned thread = thread_number(threadIdx);
    block.clocks_used = true;
    block.clocks[thread].tick(thread % 32);
    return {block.phase, block.clocks[thread], true, of_phase(block.known[thread], block.phase),
            std::max(block.acquired[thread].block, block.acquired_by_all.block)};
}

void HappensBefore::fence(bool for_all_blocks) {
    CheckedBlock& block = *launch_.block;
    const unsigned thread = thread_number(threadIdx);
    block.fences_used = true;
    const std::uint64_t acquired = std::max(block.unfenced[thread], block.unfenced_by_all);
    join(block.acquired[thread], {acquired, 0});
    const ReleaseFence fence = known_here();
    if (const auto unfenced = unfenced_clocks_.find(block.number); unfenced != unfenced_clocks_.end())
        clocks_[block.number].join(unfenced->second);
    block.fences[thread].block = fence;
    block.fence_in_phase.block = true;
    if (!for_all_blocks) return;
    block.fences[thread].all = fence;
    block.fence_in_phase.all = true;
    join(block.acquired[thread], {0, acquired});
}

void HappensBefore::release_behind_fence(std::uintptr_t address) {
    const CheckedBlock& block = *launch_.block;
    const unsigned thread = thread_number(threadIdx);
    if (!block.fences[thread].block.any && block.fenced_phases.block == 0) return;
    hand_on(address, {++time_, thread, block.phase, block.fences[thread], block.fenced_phases});
}

void HappensBefore::release_all_before(std::uintptr_t address, bool for_all_blocks) {
    const CheckedBlock& block = *launch_.block;
    const unsigned thread = thread_number(threadIdx);
    const ReleaseFence all_before = known_here();
    hand_on(address, {++time_,
                      thread,
                      block.phase,
                      {all_before, for_all_blocks ? all_before : block.fences[thread].all},
                      block.fenced_phases});
}

void HappensBefore::hand_on(std::uintptr_t address, const Release& release) {
    const CheckedBlock& block = *launch_.block;
    std::vector<Release>& releases = releases_[block.number];
    releases.push_back(release);
    atomic_results_count = true;
    if (!has_few_blocks()) return;
    SparseVectorClock& clock = clocks_[block.number];
    clock.join(block.number, releases.size());
    address_clocks_[address].join(clock);
}

void HappensBefore::acquire_released() {
    CheckedBlock& block = *launch_.block;
    const unsigned thread = thread_number(threadIdx);
    ++time_;
    may_know_primary(thread);
    if (block.acquires_at_once[thread])
        block.acquired[thread] = {time_, time_};
    else
        block.unfenced[thread] = time_;
    const auto found = address_clocks_.find(block.acquired_at[thread]);
    if (found != address_clocks_.end())
        (block.acquires_at_once[thread] ? clocks_ : unfenced_clocks_)[block.number].join(found->second);
}

void HappensBefore::begin_volatile_load(std::uintptr_t address, std::uintptr_t code) {
    acquire(address, code);
    loading_.push_back(launch_.present_thread());
    usual_checker = nullptr;
}

void HappensBefore::complete_this_load() {
    if (std::erase(loading_, launch_.present_thread()) > 0) acquire_again();
}

// Which blocks know of which is followed as long as that is a small table.
bool HappensBefore::has_few_blocks() const {
    return launch_.grid->blocks <= 1024;
}

void HappensBefore::arrive(BarrierObject& barrier) {
    CheckedBlock& block = *launch_.block;
    const unsigned thread = thread_number(threadIdx);
    block.clocks_used = block.known_used = true;
    block.clocks[thread].tick(thread % 32);
    const auto with = [&](SharedClock& clock, const VectorClock& warp, const SharedClock& known) {
        auto all = clock == nullptr || clock->phase() != block.phase ? std::make_shared<BlockClock>(block.phase)
                                                                     : std::make_shared<BlockClock>(*clock);
        all->join(warp, thread / 32);
        if (known != nullptr && known->phase() == block.phase) all->join(*known);
        clock = std::move(all);
    };
    BarrierObject::Arrived& all = barrier.arriving;
    with(all.known, block.clocks[thread], block.known[thread]);
    const OfScope<ReleaseFence>& fences = block.fences[thread];
    if (fences.block.any && fences.block.phase == block.phase)
        with(all.fenced.block, fences.block.clock, fences.block.known);
    if (fences.all.any && fences.all.phase == block.phase) with(all.fenced.all, fences.all.clock, fences.all.known);
    join(all.acquired, block.acquired[thread]);
    join(all.acquired, block.acquired_by_all);
}

void HappensBefore::complete(BarrierObject& barrier, std::uint32_t phase) {
    BarrierObject::Arrived& all = barrier.completed;
    const BarrierObject::Arrived& now = barrier.arriving;
    const auto join_clock = [&](SharedClock& clock, const SharedClock& other) {
        clock = joined(of_phase(clock, phase), of_phase(other, phase));
    };
    join_clock(all.known, now.known);
    join_clock(all.fenced.block, now.fenced.block);
    join_clock(all.fenced.all, now.fenced.all);
    join(all.acquired, now.acquired);
    barrier.arriving = {};
    ++barrier.phases;
}

void HappensBefore::waited(const BarrierObject& barrier) {
    waited(barrier, thread_number(threadIdx));
}

void HappensBefore::waited(const BarrierObject& barrier, unsigned thread) {
    CheckedBlock& block = *launch_.block;
    const unsigned warp = thread / 32;
    const BarrierObject::Arrived& all = barrier.completed;
    block.clocks_used = block.known_used = block.acquires_used = block.fences_used = true;
    join(block.acquired[thread], all.acquired);
    may_know_primary(thread);
    const SharedClock known = of_phase(all.known, block.phase);
    if (known == nullptr) return;
    block.known[thread] = joined(of_phase(block.known[thread], block.phase), known);
    for (unsigned lane = 0; lane < 32; ++lane) block.clocks[thread].join(lane, (*known)[32 * warp + lane]);
    const auto learn_fence = [&](ReleaseFence& fence, const SharedClock& fenced) {
        if (fenced == nullptr || fenced->phase() != block.phase) return;
        if (!fence.any || fence.phase != block.phase) fence = {block.phase, {}, true};
        fence.known = joined(of_phase(fence.known, block.phase), fenced);
        fence.acquired = std::max(fence.acquired, all.acquired.block);
    };
    learn_fence(block.fences[thread].block, all.fenced.block);
    learn_fence(block.fences[thread].all, all.fenced.all);
}

void HappensBefore::arrive_at_cluster(bool releases) {
    if (releases) arrive(launch_.block->cluster_barrier);
}

void HappensBefore::cluster_barrier_opens(Cluster& cluster) {
    SparseVectorClock known;
    for (const ResidentBlock* resident : cluster.blocks) {
        CheckedBlock& block = *resident->checked;
        const SharedClock arrived = std::exchange(block.cluster_barrier, {}).arriving.known;
        if (arrived == nullptr) continue;
        // Where all that have arrived do nothing but wait, it is a barrier of the block, too.
        const bool is_here = &block == launch_.block;
        const bool all_wait = resident->member.waiters + is_here == resident->member.arrived.count();
        ReleaseFence before{arrived->phase(), {}, true, arrived};
        if (all_wait) {
            barrier_opens(block);
            before = {block.phase, {}, true};
        }
        constexpr unsigned no_thread = ~0u;
        std::vector<Release>& releases = releases_[block.number];
        releases.push_back({++time_, no_thread, block.phase, {before, before}, block.fenced_phases});
        atomic_results_count = true;
        if (!has_few_blocks()) continue;
        clocks_[block.number].join(block.number, releases.size());
        known.join(clocks_[block.number]);
    }
    if (has_few_blocks())
        for (const ResidentBlock* resident : cluster.blocks) clocks_[resident->checked->number].join(known);
    cluster.opened_at = ++time_;
}

void HappensBefore::has_waited_for_cluster(const Cluster& cluster) {
    CheckedBlock& block = *launch_.block;
    block.acquires_used = true;
    may_know_primary(thread_number(threadIdx));
    join(block.acquired[thread_number(threadIdx)], {cluster.opened_at, cluster.opened_at});
}

bool HappensBefore::knows_of_begin(const CheckedBlock& other) const {
    const auto found = releases_.find(other.number);
    if (found == releases_.end() || found->second.empty()) return false;
    const CheckedBlock& block = *launch_.block;
    if (has_few_blocks()) {
        const auto clock = clocks_.find(block.number);
        if (clock == clocks_.end() || clock->second[other.number] == 0) return false;
    }
    return found->second.front().time <
           std::max(block.acquired[thread_number(threadIdx)].all, block.acquired_by_all.all);
}

bool HappensBefore::is_before_end(Access before) const {
    if (!launch_.is_recent(before)) return true;
    const CheckedBlock& block = *launch_.block;
    std::uint64_t acquired = 0;
    if (block.acquires_used)
        for (const OfScope<std::uint64_t>& each : block.acquired) acquired = std::max(acquired, each.all);
    Access end{};
    end.block = block.number;
    return released_and_acquired(before, end, true, acquired);
}

// `for_other_block`: by fences for all blocks.
bool HappensBefore::released_and_acquired(Access before, Access now, bool for_other_block,
                                          std::uint64_t acquired_too) const {
    const auto found = releases_.find(before.block);
    if (found == releases_.end()) return false;
    const CheckedBlock& block = *launch_.block;
    const std::uint64_t acquired = std::max(
        {block.acquired[now.thread].get(for_other_block), block.acquired_by_all.get(for_other_block), acquired_too});
    std::size_t known = found->second.size();
    if (before.block != now.block && has_few_blocks()) {
        known = 0;
        const auto learn = [&](const auto& clocks) {
            const auto clock = clocks.find(now.block);
            if (clock != clocks.end()) known = std::max<std::size_t>(known, clock->second[before.block]);
        };
        learn(clocks_);
        if (acquired_too != 0) learn(unfenced_clocks_);
    }
    // What was released in the block, acquired by another thread there, and released by that one for all blocks, is
    // handed on.
    std::uint64_t acquired_there = 0;
    const auto is_behind = [&](const Release& r, bool for_all) {
        const ReleaseFence& fence = r.fence.get(for_all);
        if (for_all && fence.any) acquired_there = std::max(acquired_there, fence.acquired);
        return covers(fence, r.thread, before) || before.phase < r.fenced_phases.get(for_all);
    };
    // The latest of them says most.
    const auto any_before = [&](std::uint64_t time, const auto& is_so) {
        const auto first = found->second.begin();
        const auto end = std::partition_point(first, first + static_cast<std::ptrdiff_t>(known),
                                              [&](const Release& r) { return r.time < time; });
        return std::any_of(std::reverse_iterator(end), found->second.rend(), is_so);
    };
    const bool may_be_release = is_atomic(before) && !is_out_of_scope(before, now);
    return any_before(acquired,
                      [&](const Release& r) {
                          return (may_be_release && before.thread == r.thread && before.phase <= r.phase) ||
                                 is_behind(r, for_other_block);
                      }) ||
           any_before(acquired_there, [&](const Release& r) { return is_behind(r, false); });
}

}  // namespace emulator
