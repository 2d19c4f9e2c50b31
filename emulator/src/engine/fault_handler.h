#pragma once

#include <signal.h>

#include <cstdint>

namespace emulator {

/// A touch of memory that a thread of a kernel may not touch, or a call.
struct Fault {
    std::uintptr_t address;
    std::uintptr_t code;  ///< the instruction's address
    bool write;
    std::uintptr_t stack_end;  ///< where the stack pointer was
    enum class Kind {
        touch,       ///< of memory that is not open
        alignment,   ///< at no multiple of as many bytes: of 16 or more at once on x86-64, where `address` is not
                     ///< known, and by an atomic operation on ARM
        no_address,  ///< the address is one that no memory has, and not known; only x86-64 tells this apart
        call,        ///< of what is no code
        full_stack,  ///< a touch of a stack's guard page
    } kind = Kind::touch;
    std::uintptr_t return_address = 0;  ///< where ARM keeps that of a function that has called no other; else 0
};

/// Bytes that a function may use below its stack pointer.
inline constexpr std::uintptr_t red_zone = 128;

/// What a signal has interrupted.
class Registers {
  public:
    explicit Registers(const void* context);

    std::uintptr_t code, stack_pointer;

    /// A number for the contents of the registers and of the stack's top, which ends at `stack_end`. Equal contents
    /// give equal numbers; different ones nearly never do.
    std::uint64_t fingerprint(std::uintptr_t stack_end) const;

  private:
    const void* context_;
};

/// A stack for the signal handlers of this OS thread: a thread of a kernel that has overflowed its own cannot run one.
/// In use only while a kernel runs, since a test framework or a sanitizer may bring its own at any time.
class SignalStack {
  public:
    SignalStack();
    ~SignalStack();
    SignalStack(const SignalStack&) = delete;
    SignalStack& operator=(const SignalStack&) = delete;

    void use();
    void put_back();

    /// The top of its lower half, which handlers leave alone: they begin at the upper end and need little.
    std::uintptr_t for_detours() const;

  private:
    stack_t own_{}, previous_{};
};

/// Catches illegal accesses of kernels, and of the host to device memory, and the watchdog's interruptions from now on:
/// called before each launch, since others may have put their handlers in place of ours.
void install_fault_handler();

}  // namespace emulator
