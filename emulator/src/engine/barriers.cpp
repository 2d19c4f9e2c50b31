// The barrier of a block and that of a grid.

#include <utility>

#include "../reports/source_places.h"
#include "switching.h"
#include "worker.h"

namespace emulator {

[[gnu::always_inline]] inline void Worker::sync_threads(const void* code) {
    ResidentBlock& block = *here_;
    EMULATOR_CHECK(thread_is_at_barrier(block, reinterpret_cast<std::uintptr_t>(code)));
    if (++block.arrived == block.expected) return release_barrier();
    current_->place = {WarpOperation::none, 0, code};
    block.waiting.push(current_);
    wait();
}

unsigned Worker::sync_threads_count(bool predicate, const void* code) {
    here_->votes += predicate;
    sync_threads(code);
    return here_->last_votes;
}

void Worker::release_barrier() {
    watched_.count_progress();
    ResidentBlock& block = *here_;
    block.keep_prints();
    EMULATOR_CHECK(barrier_opens(block));
    block.arrived = 0;
    block.last_votes = block.votes;
    block.votes = 0;
    block.ready.splice(block.waiting);
}

// The threads of a block wait for each other, one of them for the other blocks, and then all for that one.
void Worker::sync_grid(const void* code) {
    if (!grid_->cooperative) {
        failure_.report(cudaErrorLaunchFailure, "called this_grid().sync()", reinterpret_cast<std::uintptr_t>(code) - 1,
                        ", but the launch is not cooperative (cudaLaunchCooperativeKernel)");
        failure_.give_up();
    }
    sync_threads(code);
    ResidentBlock& block = *here_;
    if (!std::exchange(block.at_grid_barrier, true)) wait_for_grid(code);
    sync_threads(code);
    block.at_grid_barrier = false;  // before any of its threads gets past the first barrier of the next call
}

void Worker::wait_for_grid(const void* code) {
    Grid& grid = *grid_;
    const std::uint64_t barriers = grid.barriers;
    if (++grid.at_barrier == grid.blocks) {
        watched_.count_progress();
        EMULATOR_CHECK(grid_barrier_opens());
        grid.at_barrier = 0;
        ++grid.barriers;
    }
    while (grid.barriers == barriers) {
        const std::uint64_t ended = grid.ended;
        if (ended > 0 && grid.at_barrier + ended == grid.blocks && grid.barriers == barriers) {
            current_->place = {WarpOperation::grid, 0, code};
            if (!current_->parked) mark_parked();
            report_stuck("blocks have ended that others wait for");
            failure_.give_up();
        }
        yield(code, true, WarpOperation::grid);
    }
}

void sync_threads() {
    const CalledByKernel here;
    existing_worker->sync_threads(__builtin_return_address(0));
}
unsigned sync_threads_count(bool predicate) {
    const CalledByKernel here;
    return existing_worker->sync_threads_count(predicate, __builtin_return_address(0));
}
bool is_cooperative() {
    return existing_worker->is_cooperative();
}
void sync_grid() {
    const CalledByKernel here;
    existing_worker->sync_grid(__builtin_return_address(0));
}

}  // namespace emulator
