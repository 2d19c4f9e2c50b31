#pragma once

// From one thread of a block to the next: what runs at each barrier of each thread. It is in a header so that barriers
// and warp collectives have it inlined.

#include <algorithm>
#include <utility>

#include "called_by_kernel.h"
#include "tell_checker.h"
#include "worker.h"

namespace emulator {

// Whether all threads of the block have started.
inline bool Worker::all_started(const ResidentBlock& block) {
    const uint3 &next = block.next, &end = block.end;
    return block.shuffled.empty() &&
           (next.z == end.z || (next.z + 1 == end.z && next.y + 1 == end.y && next.x == end.x));
}

// To the cache, while `next` runs: what is touched when the one behind it in its list goes on, which has most likely
// stopped as deep in its stack. (Not a call of its own: g++ would see that it changes nothing, and leave it out.)
[[gnu::always_inline]] inline void Worker::fetch_behind(const Fiber* next) {
    const Fiber* const behind = next->next;
    if (behind == nullptr || next->context == nullptr) return;
    const auto depth = reinterpret_cast<const char*>(next) - static_cast<const char*>(next->context);
    const char* const context = reinterpret_cast<const char*>(behind) - depth;
    __builtin_prefetch(behind);
    __builtin_prefetch(context);
    __builtin_prefetch(context + 64);
}

// Whose thread runs from now on. Returns the last one's fiber.
inline Fiber* Worker::set_current(Fiber* to) {
#ifdef EMULATOR_CHECKED
    own_stack = {reinterpret_cast<std::uintptr_t>(to->stack), to->stack_bytes};
#endif
    fetch_behind(to);
    threadIdx = to->thread;
    return std::exchange(current_, to);
}

inline void Worker::switch_to(Fiber* to) {
    switch_fiber(set_current(to), to);
}

// The current fiber has nothing more to do. Whoever waited has called the engine.
inline void Worker::leave_for(Fiber* to) {
    uninterruptible = true;
    pool_.give_back(current_);
    leave_fiber(set_current(to), to);
}

// Whether it has begun, and a thread of it need not wait for another block.
inline bool Worker::can_go_on(const ResidentBlock& block) {
    return block.active && (!block.ready.empty() || !all_started(block));
}

// Somebody has to enter() this block again before the current fiber is gone on with.
inline void Worker::go_on_with(Fiber* next) {
    if (next != current_) switch_to(next);
}

// Whether the first of the threads that may go on is next, and nothing else is to be done.
inline bool Worker::usually_goes_on() const {
    return current_->parked && !here_->ready.empty() && !watched_.is_overdue();
}

// Threads that may go on come before those that have not started.
inline Fiber* Worker::next_fiber() {
    return __builtin_expect(usually_goes_on(), true) ? here_->ready.pop() : find_next_fiber();
}

// Returns when somebody has put the current fiber, which is in a list by now, among those that may go on.
inline void Worker::wait() {
    go_on_with(next_fiber());
}

}  // namespace emulator
