#pragma once

// From one thread of a block to the next: what runs at each barrier of each thread. It is in a header so that barriers
// and warp collectives have it inlined.

#include <algorithm>

#include "tell_checker.h"
#include "worker.h"

namespace emulator {

/// Uninterrupted for what kernels call and nothing of the engine does: it is the outermost one, and need not remember
/// what was before. At a barrier that is 3 % of the time.
class CalledByKernel {
  public:
    CalledByKernel() {
        uninterruptible = true;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
    ~CalledByKernel() {
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        uninterruptible = false;
    }
    CalledByKernel(const CalledByKernel&) = delete;
    CalledByKernel& operator=(const CalledByKernel&) = delete;
};

// Whether all threads of the block have started.
inline bool Worker::all_started(const ResidentBlock& block) {
    const uint3 &next = block.next, &end = block.end;
    return block.shuffled.empty() &&
           (next.z == end.z || (next.z + 1 == end.z && next.y + 1 == end.y && next.x == end.x));
}

inline void Worker::switch_to(Fiber* to) {
    Fiber* from = current_;
    current_ = to;
#ifdef EMULATOR_CHECKED
    own_stack = {reinterpret_cast<std::uintptr_t>(to->stack), to->stack_bytes};
#endif
    switch_fiber(from, to);
}

// Whether it has begun, and a thread of it need not wait for another block.
inline bool Worker::can_go_on(const ResidentBlock& block) {
    return block.active && (!block.ready.empty() || !all_started(block));
}

// Somebody has to enter() this block again before the current fiber is gone on with.
inline void Worker::go_on_with(Fiber* next) {
    Fiber* self = current_;
    self->thread = threadIdx;
    // The one after it has most likely stopped as deep in its stack as this one.
    if (next->next != nullptr) {
        const auto depth = reinterpret_cast<char*>(self) - static_cast<char*>(__builtin_frame_address(0));
        __builtin_prefetch(next->next);
        __builtin_prefetch(reinterpret_cast<char*>(next->next) - depth);
        __builtin_prefetch(reinterpret_cast<char*>(next->next) - depth - 64);
    }
    if (next != self) switch_to(next);
    threadIdx = self->thread;
}

// Threads that may go on come before those that have not started.
inline Fiber* Worker::next_fiber() {
    FiberQueue& ready = here_->ready;
    if (!ready.empty()) return ready.pop();
    if (all_started(*here_)) {
        release_stuck();  // which may have entered another block
        return here_->ready.empty() ? pool_.take() : here_->ready.pop();
    }
    return pool_.take();
}

// Returns when somebody has put the current fiber, which is in a list by now, among those that may go on.
inline void Worker::wait() {
    if (!current_->parked) mark_parked();
    if (__builtin_expect(watched_.is_overdue(), false)) stop_if_overdue();
    go_on_with(next_fiber());
}

}  // namespace emulator
