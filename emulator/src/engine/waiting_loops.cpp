// Threads that wait for others in loops of their own: they say so (relax), or the watchdog finds them. Others get their
// turn then. A kernel that does nothing else for long fails.

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <utility>

#include "../settings.h"
#include "detour.h"
#include "floating_point.h"
#include "switching.h"
#include "worker.h"

namespace emulator {

void Worker::relax(const void* code) {
    constexpr unsigned patience = 8;
    if (current_->looks_at_barrier()) return;
    if (++here_->spins < patience) return;
    here_->spins = 0;
    current_->has_relaxed = true;
    yield(code, false);
}

void Worker::wait_a_turn(const void* code, const void* for_ever, const std::uint64_t* barrier) {
    current_->has_relaxed = true;
    const auto address = reinterpret_cast<std::uintptr_t>(for_ever);
    current_->needs_its_block = address - reinterpret_cast<std::uintptr_t>(here_->shared) < shared_memory_reserved;
    current_->place.object = barrier;
    current_->barrier_patience = barrier != nullptr ? 4 : 0;
    yield(code, false, WarpOperation::object);
}

// The current thread waits for what only others can do: they get their turn. `interrupted`: it has not said so itself.
// `to_other_block`: also if others of its block could go on.
void Worker::yield(const void* code, bool interrupted, WarpOperation operation, bool to_other_block) {
    if (grid_->failed) failure_.give_up();
    Fiber* self = current_;
    ResidentBlock& block = *here_;
    self->place = {operation, 0, code, self->place.object};
    block.keep_prints();
    if (!self->parked) mark_parked();
    if (block.ready.empty() && all_started(block)) release_what_ended_threads_kept();
    // One that waits at a volatile store may hold what all the others ask for.
    const std::uint64_t done = watched_.progress() - computed_;
    block.idle_spins = done == block.relaxed_progress ? block.idle_spins + 1 : 0;
    block.relaxed_progress = done;
    const bool needs_block = operation == WarpOperation::object && self->needs_its_block && !grid_->has_clusters();
    block.idle_at_barriers = needs_block && block.idle_spins > 0 ? block.idle_at_barriers + 1 : 0;
    if (block.idle_spins > block.parked)
        for (unsigned w = 0; w < warps_in_block_; ++w) warps_.release_lockstep(block, block.warps[w]);
    constexpr double soon = 1e-3;
    const double seconds = spinning_.seconds(*grid_);
    const bool no_hope = block.idle_at_barriers > 2 * block.parked && all_started(block);  // each has had its turn
    const double patience = value_of<settings::spin_seconds>() / (no_hope ? 40 : 1);
    if (seconds > soon && spinning_.processor_seconds() > patience) {
        report_stuck(no_hope ? "no thread can go on" : "a thread waits in a loop for too long");
        failure_.give_up();
    }
    // Threads that have not started come first: the others may all be waiting for one of them.
    Fiber* next = nullptr;
    if (to_other_block)
        next = nullptr;
    else if (!all_started(block))
        next = pool_.take();
    else if (!block.ready.empty() && ++block.idle_turns <= block.parked)
        next = block.ready.pop();
    block.ready.push(self);
    // A lock comes free soon, if its holder has begun; and each block more makes it later.
    if (next != nullptr)
        go_on_with(next);
    else
        leave_block(interrupted || seconds > soon * active_blocks(), to_other_block ? 0 : seconds);
    block.keep_prints();  // They tell of what was waited for.
}

// The watchdog has seen this thread run for long. If it does nothing but wait for another one, the registers and the
// top of its stack have few different contents: then, and anyway after many interruptions, others get their turn.
void Worker::interrupted(void* context) {
    if (!in_kernel() || uninterruptible || threadIdx.x == no_thread) return;
    const Registers registers(context);
    const std::uintptr_t stack = reinterpret_cast<std::uintptr_t>(current_->stack);
    if (registers.stack_pointer - stack >= current_->stack_bytes) return;
    constexpr unsigned patience = 20;
    const bool in_kernel_code = watched_.is_in_kernels_code(registers.code);
    if (is_overdue_since(grid_->begin)) {
        if (!in_kernel_code && ++overdue_looks_ % patience != 0) return;
        failure_.give_up_overdue(registers.code);
    }
    const bool has_relaxed = std::exchange(current_->has_relaxed, false);
    const bool only_waits =
        has_relaxed || !current_->is_in_new_state(registers.fingerprint(reinterpret_cast<std::uintptr_t>(current_)));
    if (!only_waits) {
        watched_.count_progress();
        ++computed_;
    }
    if (current_->looks_at_barrier()) return;
    if (!in_kernel_code || !(only_waits || grid_->impatient || ++interruptions_ % patience == 0)) return;
    watched_.be_impatient();
    grid_->impatient = true;
    const auto let_others_run = [](void* after) {
        const AsGpuComputes others;
        existing_worker->yield(after, true);
    };
    void* after = reinterpret_cast<void*>(registers.code + 1);  // as if it had just called us
    leave_handler(context, registers.stack_pointer - red_zone, let_others_run, after);
}

// The watchdog may have meant the launch before this one.
void Worker::stop_if_overdue() {
    if (!is_overdue_since(grid_->begin)) return;
    failure_.report_overdue(reinterpret_cast<std::uintptr_t>(current_->place.code) - 1);
    failure_.give_up();
}

void relax() {
    Worker* worker = existing_worker;
    if (worker == nullptr || !worker->in_kernel()) return;
    const Uninterrupted here;
    worker->relax(__builtin_return_address(0));
}

void note_progress() {
    Worker* worker = existing_worker;
    if (worker != nullptr && worker->in_kernel()) worker->watched().count_progress();
}

void wait_a_turn(const void* for_ever, const std::uint64_t* barrier) {
    Worker* worker = existing_worker;
    if (worker == nullptr || !worker->in_kernel()) return std::this_thread::yield();
    const Uninterrupted here;
    worker->wait_a_turn(__builtin_return_address(0), for_ever, barrier);
}

}  // namespace emulator
