// Memory faults: the first touch of a device allocation by a kernel, which opens it; illegal accesses, which end the
// kernel; and the host touching device memory, which ends the process as it would with a GPU, but explained.

#include "fault_handler.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

#include "../checked/memory.h"
#include "../memory/memory.h"
#include "../reports/error_state.h"
#include "../reports/source_places.h"
#include "fiber.h"
#include "worker.h"

namespace emulator {
namespace {

constexpr std::size_t signal_stack_bytes = 256u << 10;

struct sigaction previous_segv, previous_bus;

#if defined(__x86_64__)
constexpr greg_t general_protection = 13;

// Whether the instruction is one that moves a whole vector register and wants its address to be a multiple of as many
// bytes: movaps, movapd, movdqa and those that go past the caches, also as AVX writes them. Sets `write`, too.
bool wants_alignment(std::uintptr_t code, bool& write) {
    const auto* byte = reinterpret_cast<const unsigned char*>(code);
    bool wide = false;  // the prefix 66 or what stands for it in AVX: the one of integers and doubles
    if (*byte == 0xc5 || *byte == 0xc4) {
        const unsigned char last = byte[*byte == 0xc5 ? 1 : 2];
        byte += *byte == 0xc5 ? 2 : 3;
        if ((last & 2) != 0) return false;  // of one number, or unaligned
        wide = (last & 1) != 0;
    } else {
        if (*byte == 0x66) wide = true, ++byte;
        if ((*byte & 0xf0) == 0x40) ++byte;
        if (*byte++ != 0x0f) return false;
    }
    write = *byte == 0x29 || *byte == 0x2b || (wide && (*byte == 0x7f || *byte == 0xe7));
    return write || *byte == 0x28 || (wide && *byte == 0x6f);
}
#endif

Fault read_fault(const siginfo_t* info, const void* context) {
    const auto* machine = &static_cast<const ucontext_t*>(context)->uc_mcontext;
    Fault fault{reinterpret_cast<std::uintptr_t>(info->si_addr), 0, false, Registers(context).stack_pointer};
#if defined(__x86_64__)
    fault.code = static_cast<std::uintptr_t>(machine->gregs[REG_RIP]);
    fault.write = (machine->gregs[REG_ERR] & 2) != 0;
    if (machine->gregs[REG_TRAPNO] == general_protection)
        fault.kind = wants_alignment(fault.code, fault.write) ? Fault::Kind::alignment : Fault::Kind::no_address;
#elif defined(__aarch64__)
    fault.code = machine->pc;
#else
#error "not supported: the emulator knows x86-64 and 64-bit ARM"
#endif
    return fault;
}

// As much of it as any loop that waits would change.
constexpr std::uintptr_t stack_top_bytes = 1024;
constexpr std::uintptr_t red_zone = 128;  // what a function may use below its stack pointer

// Looks at whatever is there, gaps between variables included, which is none of AddressSanitizer's business.
__attribute__((no_sanitize("address"))) void mix(std::uint64_t& hash, const void* data, std::size_t bytes) {
    using Word [[gnu::may_alias]] = std::uint64_t;
    const auto* words = static_cast<const Word*>(data);
    for (std::size_t i = 0; i < bytes / sizeof(Word); ++i) {
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
}

void on_fault(int signal, siginfo_t* info, void* context) {
    const Fault fault = read_fault(info, context);
    Worker* worker = existing_worker;
    if (worker != nullptr && worker->in_kernel()) {
        if (fault.kind == Fault::Kind::touch && (open_for_kernel(fault.address) || worker->forgive(fault))) return;
        worker->escape(fault);
    }
    if (fault.kind == Fault::Kind::touch && is_device_address(fault.address)) {
        note_host_touch(fault.address, fault.write, fault.code);
        const std::string line = source_line(fault.code);
        explain("host code touched device memory%s%s: address 0x%zx, %s of device memory. Copy it with cudaMemcpy.",
                line.empty() ? "" : " at ", line.c_str(), std::size_t{fault.address},
                describe_address(fault.address).c_str());
    }
    // Not ours: put back what was there before; the instruction is tried again and meets that.
    sigaction(signal, signal == SIGSEGV ? &previous_segv : &previous_bus, nullptr);
}

}  // namespace

Registers::Registers(const void* context) : context_(context) {
    const auto* machine = &static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    code = static_cast<std::uintptr_t>(machine->gregs[REG_RIP]);
    stack_pointer = static_cast<std::uintptr_t>(machine->gregs[REG_RSP]);
#else
    code = machine->pc;
    stack_pointer = machine->sp;
#endif
}

std::uint64_t Registers::fingerprint(std::uintptr_t stack_end) const {
    const auto* machine = &static_cast<const ucontext_t*>(context_)->uc_mcontext;
    std::uint64_t hash = code;
#if defined(__x86_64__)
    static_assert(REG_R8 == 0 && REG_RIP == REG_RSP + 1, "the general registers come first");
    mix(hash, machine->gregs, (REG_RSP + 1) * sizeof machine->gregs[0]);
    mix(hash, machine->fpregs->_xmm, sizeof machine->fpregs->_xmm);
#else
    mix(hash, machine->regs, sizeof machine->regs);
#endif
    const std::uintptr_t top = (stack_pointer - red_zone) / 8 * 8;
    mix(hash, reinterpret_cast<const void*>(top), std::min(stack_end - top, stack_top_bytes));
    return hash;
}

void install_fault_handler() {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    for (const int signal : {SIGSEGV, SIGBUS}) {
        struct sigaction present = {};
        sigaction(signal, nullptr, &present);
        if (present.sa_sigaction == on_fault) continue;
        struct sigaction action = {};
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        sigaction(signal, &action, signal == SIGSEGV ? &previous_segv : &previous_bus);
    }
}

SignalStack::SignalStack() {
    own_.ss_size = signal_stack_bytes;
    own_.ss_sp = mmap(nullptr, own_.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own_.ss_sp == MAP_FAILED) throw std::bad_alloc();
}

SignalStack::~SignalStack() {
    forget_frames(own_.ss_sp, own_.ss_size);
    munmap(own_.ss_sp, own_.ss_size);
}

void SignalStack::use() {
    sigaltstack(&own_, &previous_);
}

void SignalStack::put_back() {
    sigaltstack(&previous_, nullptr);
}

}  // namespace emulator
