#pragma once

#include <csetjmp>
#include <cstdint>
#include <string>

#include "emulator/types.h"
#include "fault_handler.h"
#include "fiber.h"
#include "grid.h"

namespace emulator {

/// How a kernel fails that a worker runs: by an illegal access, a trap, an assertion or because it takes too long. Only
/// its first failure is reported, and all of its threads are given up.
class KernelFailure {
  public:
    explicit KernelFailure(const FiberPool& fibers) : fibers_(fibers) {}

    void launch_begins(Grid& grid) { grid_ = &grid; }

    /// Where give_up() leads to, for sigsetjmp().
    sigjmp_buf& given_up() { return given_up_; }

    /// Nothing on the stack is destroyed: whoever calls this has nothing left there that owns memory.
    [[noreturn]] void give_up() { siglongjmp(given_up_, 1); }

    /// Fails the kernel for what was reported already.
    [[noreturn]] void end(cudaError_t error) {
        report(error, "");
        give_up();
    }

    /// "called __trap()" at the instruction `code`, which may be 0: unknown. Then `more`, such as ", which ...".
    void report(cudaError_t error, const std::string& what, std::uintptr_t code = 0, const std::string& more = "");
    void report_overdue(std::uintptr_t code);

    [[noreturn]] void trap(const char* what, const void* code, const char* more = "");
    [[noreturn]] void fail_assertion(const char* assertion, const char* file, unsigned line, const char* function);

    // In a signal handler, which they leave.

    /// A thread has touched memory: a closed allocation, which is opened then, or what it may not touch. What is to be
    /// done outside of the handler is done on `stack`.
    void faulted(const Fault& fault, void* context, std::uintptr_t stack);
    [[noreturn]] void give_up_overdue(std::uintptr_t code);

    /// Once the kernel has been given up, what a signal handler has seen is reported. `stack`: the lowest address of
    /// that of the thread.
    void tell_unreported(std::uintptr_t stack);

  private:
    void answer_fault();
    bool forgive() const;
    void report_fault(std::uintptr_t stack);
    std::string what_happened(const Fault& fault) const;
    std::string cause(const Fault& fault) const;

    const FiberPool& fibers_;
    Grid* grid_ = nullptr;
    sigjmp_buf given_up_;
    enum class Unreported { nothing, fault, overdue } unreported_ = Unreported::nothing;
    Fault fault_{};
};

}  // namespace emulator
