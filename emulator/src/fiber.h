#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/types.h"

namespace emulator {

/// A stack on which threads of a block run, and where it stopped. Belongs to one worker for good: thread-local
/// addresses that the compiler keeps in registers stay right.
struct Fiber {
    boost::context::detail::fcontext_t context = nullptr;
    Fiber* next = nullptr;  // in whatever list the fiber is
    uint3 thread{};         // threadIdx of the thread that is parked here
    void (*entry)() = nullptr;
    char* stack = nullptr;  // lowest usable address; null for an OS thread's own stack
    std::size_t stack_bytes = 0;
};

/// A first-in-first-out list of fibers, linked through Fiber::next.
class FiberQueue {
  public:
    bool empty() const { return first_ == nullptr; }

    void push(Fiber* fiber) {
        fiber->next = nullptr;
        *end_ = fiber;
        end_ = &fiber->next;
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

/// The fibers of one worker. Stacks are kept for reuse, with a guard page below each.
class FiberPool {
  public:
    /// Every fiber runs `entry` when it is first switched to; `entry` never returns.
    explicit FiberPool(void (*entry)()) : entry_(entry) {}
    ~FiberPool();

    Fiber* take();

    /// `fiber` has nothing to do and is about to switch away; whoever takes it goes on behind that switch.
    void give_back(Fiber* fiber) { idle_.push(fiber); }

    /// After a kernel was abandoned: every fiber, wherever it was parked, is free and begins at `entry` again.
    void reclaim_all();

    /// Whether the address lies in the guard page of one of the stacks.
    bool is_guard_page(std::uintptr_t address) const;

  private:
    void prepare(Fiber& fiber, std::size_t index) const;

    void (*const entry_)();
    std::vector<std::unique_ptr<Fiber>> all_;
    FiberQueue idle_;
};

/// Suspends `from`, on which the caller runs, and goes on where `to` was suspended. Returns when somebody switches
/// back.
void switch_fiber(Fiber* from, Fiber* to);

}  // namespace emulator
