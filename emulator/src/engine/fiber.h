#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "emulator/check.h"
#include "emulator/types.h"
#include "place.h"

#if !defined(__x86_64__)
#include <boost/context/detail/fcontext.hpp>
#endif

namespace emulator {

/// The checked build keeps something about each byte of a stack that far below it; see checked/local_arrays.h.
inline constexpr std::size_t local_knowledge = checked ? 2u << 20 : 0;

/// Of a thread's stack. Pages that nothing touches cost nothing. A kernel's local arrays live here, for which CUDA has
/// 512 KiB; in the checked build with much room around them.
inline constexpr std::size_t thread_stack_bytes = checked ? local_knowledge / 2 : 576u << 10;

/// A stack on which threads of a block run, and where it stopped. Belongs to one worker for good: thread-local
/// addresses that the compiler keeps in registers stay right. Lies at the top of its stack, beside what a switch
/// touches anyway.
struct Fiber {
    void* context = nullptr;     // where the stack ends; null: it begins anew
    void* frame = nullptr;       // on x86-64 the register rbp, and
    const void* code = nullptr;  // where to go on; what it takes besides is on the stack
    Fiber* next = nullptr;       // in whatever list the fiber is
    uint3 thread{};              // threadIdx of the thread that is parked here
    bool parked = false;         // its thread has waited and has not ended yet
    Place place{};
    unsigned votes = 0;                           // of the named barrier that opened last to its thread
    const struct ResidentBlock* block = nullptr;  // of the thread that is parked here
    char* stack = nullptr;                        // lowest usable address; null for an OS thread's own stack
    std::size_t stack_bytes = 0;
    std::uint64_t states[64] = {};  // in which it was interrupted, the latest ones
    unsigned next_state = 0;
    bool was_new = false;
    bool has_relaxed = false;  // since it was last interrupted

    // A thread that waits for a barrier lets others run each time that it looks at it, and need not be told to. A few
    // times, until it may be in another loop.
    unsigned barrier_patience = 0;
    bool needs_its_block = false;  // and nobody but threads of its block can end that wait
    bool looks_at_barrier() { return barrier_patience > 0 && barrier_patience-- > 0; }

    /// Whether it was interrupted in a state not seen before, twice in a row: a loop that waits has few of them, but
    /// not all are found soon.
    bool is_in_new_state(std::uint64_t state) {
        const bool is_new = std::find(std::begin(states), std::end(states), state) == std::end(states);
        if (is_new) states[next_state++ % std::size(states)] = state;
        return std::exchange(was_new, is_new) && is_new;
    }
};

/// A first-in-first-out list of fibers, linked through Fiber::next.
class FiberQueue {
  public:
    bool empty() const { return first_ == nullptr; }
    Fiber* first() const { return first_; }

    void push(Fiber* fiber) {
        fiber->next = nullptr;
        *end_ = fiber;
        end_ = &fiber->next;
    }

    void push_front(Fiber* fiber) {
        fiber->next = first_;
        if (first_ == nullptr) end_ = &fiber->next;
        first_ = fiber;
    }

    Fiber* pop() {
        Fiber* fiber = first_;
        first_ = fiber->next;
        if (first_ == nullptr) end_ = &first_;
        return fiber;
    }

    /// Appends all of `other` and leaves it empty.
    void splice(FiberQueue& other) {
        if (other.empty()) return;
        *end_ = other.first_;
        end_ = other.end_;
        other.clear();
    }

    void clear() {
        first_ = nullptr;
        end_ = &first_;
    }

  private:
    Fiber* first_ = nullptr;
    Fiber** end_ = &first_;
};

/// What every fiber does from its first switch on. Never returns; defined by the worker.
void run_carrier();

/// The fibers of one worker. Stacks are kept for reuse, with a guard page below each.
class FiberPool {
  public:
    FiberPool() = default;
    ~FiberPool();
    FiberPool(const FiberPool&) = delete;
    FiberPool& operator=(const FiberPool&) = delete;

    Fiber* take() { return idle_.empty() ? make() : idle_.pop(); }

    /// `fiber` has nothing to do and is about to be left: leave_fiber().
    void give_back(Fiber* fiber) { idle_.push_front(fiber); }

    /// After a kernel was abandoned: every fiber, wherever it was parked, is free and begins anew.
    void reclaim_all();

    /// Whether the address lies in the guard page of one of the stacks.
    bool is_guard_page(std::uintptr_t address) const;
    /// Whether it lies on one of the stacks: a local variable of some thread.
    bool is_on_a_stack(std::uintptr_t address) const;

    const std::vector<Fiber*>& all() const { return all_; }

  private:
    Fiber* make();
    static void prepare(Fiber& fiber);

    std::vector<Fiber*> all_;
    FiberQueue idle_;
};

// AddressSanitizer has to be told about every change of stack, by a switch or by siglongjmp(), and about functions on
// one that will never return: their variables stay forbidden otherwise, for whatever is next put at that address too.
#ifdef EMULATOR_ASAN
void before_switch(void** keep, Fiber* from, const Fiber* to);
void after_switch(void* kept);
void forget_frames(const void* stack, std::size_t bytes);
void after_jump(const Fiber& to);
#else
inline void forget_frames(const void*, std::size_t) {}
inline void after_jump(const Fiber&) {}
#endif

#if defined(__x86_64__)
/// Keeps the registers on the stack, and where that ends in `from`, and goes on where `to` was left, or calls
/// run_carrier() on the stack of a fiber that begins. emulator_go_on() keeps nothing and does not return; it is not
/// declared so, since g++ calls what does not return, and jumps to what does. Kernels at a barrier: barriers.cpp.
///
/// Elsewhere Boost.Context does that. Here it would, too, but it leaves with a jump where we return, and jumps to what
/// begins where we call: the processor, which foretells returns by the calls before them, is then wrong about the next
/// ones. Per thread, in a block of 256 on an x86-64 server: a barrier that is called takes 7.5 ns with ours and 15 with
/// Boost's, a shuffle 17 and 29. Boost is neither needed nor linked there.
extern "C" void emulator_switch(Fiber* from, Fiber* to);
extern "C" void emulator_go_on(Fiber* to);
static_assert(offsetof(Fiber, context) == 0 && offsetof(Fiber, frame) == 8 && offsetof(Fiber, code) == 16);

inline void switch_context(Fiber* from, Fiber* to) {
    emulator_switch(from, to);
}
[[noreturn]] inline void leave_context(Fiber* from, Fiber* to) {
    from->context = nullptr;
    emulator_go_on(to);
    __builtin_unreachable();
}
#else
/// Where a fiber begins whose stack ends there.
void* first_context(const Fiber& fiber);

// The other side learns where `from` was suspended; nobody needs to know that of one that is left.
inline void jump(Fiber* from, Fiber* to) {
    void* const there = to->context == nullptr ? first_context(*to) : to->context;
    const auto transfer = boost::context::detail::jump_fcontext(there, from);
    if (transfer.data != nullptr) static_cast<Fiber*>(transfer.data)->context = transfer.fctx;
}
inline void switch_context(Fiber* from, Fiber* to) {
    jump(from, to);
}
[[noreturn]] inline void leave_context(Fiber* from, Fiber* to) {
    from->context = nullptr;
    jump(nullptr, to);
    __builtin_unreachable();
}
#endif

/// Suspends `from`, on which the caller runs, and goes on where `to` was suspended, or has it begin with run_carrier().
/// Returns when somebody switches back.
inline void switch_fiber(Fiber* from, Fiber* to) {
#ifdef EMULATOR_ASAN
    void* kept = nullptr;
    before_switch(&kept, from, to);
    switch_context(from, to);
    after_switch(kept);
#else
    switch_context(from, to);
#endif
}

/// The same for good: whatever is on the stack of `from` is given up, and it begins anew when somebody switches to it.
/// `to` was suspended.
[[noreturn]] inline void leave_fiber(Fiber* from, Fiber* to) {
#ifdef EMULATOR_ASAN
    const auto here = static_cast<char*>(__builtin_frame_address(0));
    forget_frames(here, static_cast<std::size_t>(reinterpret_cast<char*>(from) - here));
    before_switch(nullptr, from, to);
#endif
    leave_context(from, to);
}

}  // namespace emulator
