#pragma once

#include <signal.h>

#include <cstdint>
#include <string>

namespace emulator {

/// A touch of memory that a thread of a kernel may not touch.
struct Fault {
    std::uintptr_t address;
    std::uintptr_t code;  ///< the instruction's address
    bool write;
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

  private:
    stack_t own_{}, previous_{};
};

/// Catches illegal accesses of kernels, and of the host to device memory, from now on: called before each launch, since
/// others may have put their handlers in place of ours.
void install_fault_handler();

/// "file.cu:12" of an instruction of this process, or nothing if that cannot be found out.
std::string source_line(std::uintptr_t code);

}  // namespace emulator
