// When no thread of a block can go on: what those that have ended kept is released, and if that does not help the
// kernel fails with a report of who waits where.

#include <algorithm>
#include <string>
#include <vector>

#include "../reports/error_state.h"
#include "switching.h"
#include "worker.h"

namespace emulator {

// All threads have started and none can go on. Some may have waited for others that have ended since, or wait for
// another block of their cluster, which is entered then. After this at least one can go on, or the kernel has failed.
void Worker::release_stuck() {
    release_what_ended_threads_kept();
    if (here_->ready.empty() && !go_on_in_cluster()) {
        report_stuck("no thread can go on");
        failure_.give_up();
    }
}

void Worker::release_what_ended_threads_kept() {
    ResidentBlock& block = *here_;
    if (block.arrived > 0 && block.arrived == block.parked) {
        block.expected = block.arrived;
        return release_barrier();
    }
    for (unsigned w = 0; w < warps_in_block_; ++w) warps_.release_stuck(block, block.warps[w]);
    release_named_barriers(block);
    if (!block.ready.empty()) return;
    for (unsigned w = 0; w < warps_in_block_; ++w) warps_.release_lockstep(block, block.warps[w]);
    if (!block.ready.empty()) return;
    for (unsigned w = 0; w < warps_in_block_; ++w) warps_.release_active_lanes(block, block.warps[w]);
}

// How many threads of the blocks that have begun wait where.
std::string Worker::who_waits_where() const {
    struct Crowd {
        const Fiber* first;
        std::string where;
        unsigned threads;
    };
    std::vector<Crowd> crowds;
    const bool several_blocks = active_blocks() > 1;
    for (const Fiber* fiber : pool_.all()) {
        if (!fiber->parked) continue;
        const Place& place = fiber->place;
        auto same = std::find_if(crowds.begin(), crowds.end(), [&](const Crowd& crowd) {
            const Place& theirs = crowd.first->place;
            return theirs.operation == place.operation && theirs.mask == place.mask && theirs.code == place.code;
        });
        if (same == crowds.end()) {  // or another instruction of the same line
            const std::string where = describe(place);
            same = std::find_if(crowds.begin(), crowds.end(), [&](const Crowd& crowd) { return crowd.where == where; });
            if (same == crowds.end()) same = crowds.insert(same, {fiber, where, 0});
        }
        ++same->threads;
    }
    std::string text;
    constexpr std::size_t shown = 8;
    for (std::size_t i = 0; i < std::min(crowds.size(), shown); ++i) {
        const Crowd& crowd = crowds[i];
        text += (i == 0 ? "" : "; ") + std::to_string(crowd.threads) +
                (crowd.threads == 1 ? " thread waits in " : " threads wait in ") + crowd.where + ", " +
                (crowd.threads == 1 ? "" : "the first is ") + "thread " + index(crowd.first->thread);
        if (several_blocks) text += " of block " + index(crowd.first->block->index);
    }
    if (crowds.size() > shown) text += "; and at " + std::to_string(crowds.size() - shown) + " more places";
    return text;
}

void Worker::report_stuck(const char* what) {
    const std::string text = checked ? "" : who_waits_where();
    if (grid_->failed.exchange(true)) return;
    EMULATOR_CHECK(deadlock(pool_.all(), what));
    set_kernel_error(cudaErrorLaunchFailure);
    if (checked) return;
    explain("kernel %s: block %s is in a deadlock, since %s: %s", grid_->kernel, index(blockIdx).c_str(), what,
            text.c_str());
}

}  // namespace emulator
