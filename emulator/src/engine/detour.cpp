#include "detour.h"

#include <signal.h>
#include <ucontext.h>

#include <cerrno>
#include <cstddef>
#include <utility>

#include "emulator/engine.h"

namespace emulator {

struct Detour {
    mcontext_t registers;
    unsigned char* wide_registers;  // those of x86-64's vectors and floating point, which the signal's frame has apart
    std::size_t wide_bytes;
    int error_number;
    bool uninterruptible;
    void (*then)(void*);
    void* argument;
};

namespace {

// Not thread_local: the first use of such a variable may allocate in a shared library.
__thread Detour* ended_detour __attribute__((tls_model("initial-exec")));

// Not memcpy(), which AddressSanitizer would have look at what the stack held before. `bytes` is a multiple of 4.
__attribute__((no_sanitize("address"), noinline)) void copy(void* to, const void* from, std::size_t bytes) {
    using Word [[gnu::may_alias]] = std::uint64_t;
    using Half [[gnu::may_alias]] = std::uint32_t;
    auto* target = static_cast<volatile Word*>(to);
    auto* source = static_cast<const Word*>(from);
    for (; bytes >= sizeof(Word); bytes -= sizeof(Word)) *target++ = *source++;
    if (bytes > 0) *reinterpret_cast<volatile Half*>(target) = *reinterpret_cast<const Half*>(source);
}

// It ends with a signal, whose handler puts the registers back: only the system can do that for all of them at once.
[[noreturn]] void run(Detour* detour) {
    detour->then(detour->argument);
    ended_detour = detour;
    raise(SIGSEGV);
    __builtin_unreachable();
}

#if defined(__x86_64__)
// The signal's frame says in bytes that processors leave to programs how long it is, if it is longer than it once was.
std::size_t bytes_of_wide_registers(const mcontext_t& registers) {
    struct Reserved {
        std::uint32_t magic, bytes;
    };
    constexpr std::size_t reserved_at = 464, old_bytes = 512;
    constexpr std::uint32_t magic = 0x46505853;
    const auto* reserved =
        reinterpret_cast<const Reserved*>(reinterpret_cast<const char*>(registers.fpregs) + reserved_at);
    return reserved->magic == magic ? reserved->bytes : old_bytes;
}
#endif

}  // namespace

__attribute__((no_sanitize("address"))) Detour* leave_handler(void* context, std::uintptr_t stack, void (*then)(void*),
                                                              void* argument) {
    mcontext_t& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    const std::size_t wide_bytes = bytes_of_wide_registers(registers);
#else
    const std::size_t wide_bytes = 0;  // They are among the others.
#endif
    auto* wide = reinterpret_cast<unsigned char*>((stack - wide_bytes) / 64 * 64);
    const std::uintptr_t below = (reinterpret_cast<std::uintptr_t>(wide) - sizeof(Detour)) / 64 * 64;
    auto* detour = reinterpret_cast<Detour*>(below);
    copy(&detour->registers, &registers, sizeof registers);
    detour->wide_registers = wide;
    detour->wide_bytes = wide_bytes;
    detour->error_number = errno;
    detour->uninterruptible = std::exchange(uninterruptible, true);
    detour->then = then;
    detour->argument = argument;
#if defined(__x86_64__)
    copy(wide, registers.fpregs, wide_bytes);
    constexpr greg_t direction_flag = 0x400;
    registers.gregs[REG_EFL] &= ~direction_flag;
    registers.gregs[REG_RIP] = reinterpret_cast<greg_t>(&run);
    registers.gregs[REG_RDI] = static_cast<greg_t>(below);
    registers.gregs[REG_RSP] = static_cast<greg_t>(below - sizeof(void*));  // as if it had been called
#else
    registers.pc = reinterpret_cast<std::uintptr_t>(&run);
    registers.regs[0] = below;
    registers.sp = below;
#endif
    return detour;
}

void go_back(Detour* detour, void* context) {
    mcontext_t& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    const auto frame = registers.fpregs;  // The present frame's own place, not that of the one before.
    copy(frame, detour->wide_registers, detour->wide_bytes);
    copy(&registers, &detour->registers, sizeof registers);
    registers.fpregs = frame;
#else
    copy(&registers, &detour->registers, sizeof registers);
#endif
    errno = detour->error_number;
    uninterruptible = detour->uninterruptible;
}

bool ends_detour(void* context) {
    if (ended_detour == nullptr) return false;
    go_back(std::exchange(ended_detour, nullptr), context);
    return true;
}

}  // namespace emulator
