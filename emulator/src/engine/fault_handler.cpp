// Memory faults: the first touch of a device allocation by a kernel, which opens it; illegal accesses, which end the
// kernel; and the host touching device memory, which ends the process as it would with a GPU, but explained.

#include "fault_handler.h"

#include <execinfo.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "../checked/memory.h"
#include "../memory/memory.h"
#include "../reports/error_state.h"
#include "../reports/source_places.h"
#include "detour.h"
#include "division.h"
#include "emulator/check.h"
#include "fiber.h"
#include "host_work.h"
#include "worker.h"

namespace emulator {
namespace {

constexpr std::size_t signal_stack_bytes = 512u << 10;

// The handlers that were there before ours, the oldest first: the one before the first launch, and one more each time
// that the program has put its own in front of ours.
struct Handlers {
    int signal;
    struct sigaction ours = {}, before[8] = {};
    std::atomic<int> count = 0;
    std::atomic<int> left = 0;  // those whose turn has not come yet for what has happened
    pid_t thread = 0;           // and what that was: whose instruction, which one, on what
    std::uintptr_t code = 0, address = 0;
};

Handlers segmentation{SIGSEGV}, bus{SIGBUS}, arithmetic{SIGFPE};

Handlers& handlers_of(int signal) {
    return signal == SIGSEGV ? segmentation : signal == SIGBUS ? bus : arithmetic;
}

struct sigaction present_handler(int signal) {
    struct sigaction present = {};
    sigaction(signal, nullptr, &present);
    return present;
}

bool are_same(const struct sigaction& a, const struct sigaction& b) {
    return a.sa_sigaction == b.sa_sigaction;
}

#if defined(__x86_64__)
constexpr greg_t general_protection = 13, stack_fault = 12;  // the latter through the stack or the frame pointer

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
#elif defined(__aarch64__)
// What a signal's frame holds besides the general registers is a list of records. Null: it has no such one.
template <class Record>
const Record* find_record(const mcontext_t& machine, std::uint32_t magic) {
    const auto* header = reinterpret_cast<const _aarch64_ctx*>(machine.__reserved);
    while (header->magic != magic && header->magic != 0)
        header = reinterpret_cast<const _aarch64_ctx*>(reinterpret_cast<const char*>(header) + header->size);
    return header->magic == magic ? reinterpret_cast<const Record*>(header) : nullptr;
}
#else
#error "not supported: the emulator knows x86-64 and 64-bit ARM"
#endif

Fault read_fault(const siginfo_t* info, const void* context) {
    const auto* machine = &static_cast<const ucontext_t*>(context)->uc_mcontext;
    Fault fault{reinterpret_cast<std::uintptr_t>(info->si_addr), 0, false, Registers(context).stack_pointer};
#if defined(__x86_64__)
    fault.code = static_cast<std::uintptr_t>(machine->gregs[REG_RIP]);
    fault.write = (machine->gregs[REG_ERR] & 2) != 0;
    if (machine->gregs[REG_TRAPNO] == general_protection || machine->gregs[REG_TRAPNO] == stack_fault)
        fault.kind = wants_alignment(fault.code, fault.write) ? Fault::Kind::alignment : Fault::Kind::no_address;
#else
    constexpr std::uint64_t write_not_read = 1u << 6;
    fault.code = machine->pc;
    fault.return_address = machine->regs[30];
    const auto* syndrome = find_record<esr_context>(*machine, ESR_MAGIC);
    fault.write = syndrome != nullptr && (syndrome->esr & write_not_read) != 0;
    if (info->si_signo == SIGBUS && info->si_code == BUS_ADRALN) fault.kind = Fault::Kind::alignment;
#endif
    return fault;
}

// As much of it as any loop that waits would change.
constexpr std::uintptr_t stack_top_bytes = 1024;

// Looks at whatever is there, gaps between variables included, which is none of AddressSanitizer's business.
__attribute__((no_sanitize("address"))) void mix(std::uint64_t& hash, const void* data, std::size_t bytes) {
    using Word [[gnu::may_alias]] = std::uint64_t;
    const auto* words = static_cast<const Word*>(data);
    for (std::size_t i = 0; i < bytes / sizeof(Word); ++i) {
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
}

// What host code did, told by ordinary code (detour.h) of the thread that did it; then the instruction is tried again
// and meets whatever would have been there without us. The thread may hold a lock that the report asks for, as it may
// have been in malloc() or in the runtime itself. So the report has its time, and then a line has to do that needs no
// lock.
struct HostFault {
    int signal;
    Fault fault;
    void* callers[32];  // the innermost first: those of the handler, the instruction, and what led to it
    Detour* detour;
    int timer;
    std::atomic<bool> is_told = false;
};

constexpr std::time_t seconds_to_report = 2;
constexpr std::size_t report_stack_bytes = 256u << 10;

HostFault host_fault;
std::atomic<pid_t> reporting_thread = 0;  // of the system's numbers; 0: none
alignas(64) char report_stack[report_stack_bytes];

pid_t this_os_thread() {
    return static_cast<pid_t>(syscall(SYS_gettid));
}

// The signal of interruptions comes to the calling thread in some seconds. timer_create() itself would allocate.
void set_deadline() {
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = WatchedWorker::interruption;
    event._sigev_un._tid = this_os_thread();
    const itimerspec in_time{{}, {seconds_to_report, 0}};
    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &host_fault.timer) == 0)
        syscall(SYS_timer_settime, host_fault.timer, 0, &in_time, nullptr);
}

// The C library keeps the size of its memory in front of it, and looks there when it is to free it.
constexpr std::uintptr_t size_before = 8;

bool frees_device_memory(const Fault& fault, std::uintptr_t programs_code) {
    return !fault.write && fault.code != programs_code &&
           allocated_at(reinterpret_cast<const void*>(fault.address + size_before)) != 0;
}

void tell_host_fault(void*) {
    set_deadline();
    const Fault& fault = host_fault.fault;
    std::vector<std::uintptr_t> led_there;
    for (void* const each : host_fault.callers)
        if (each != nullptr && (!led_there.empty() || reinterpret_cast<std::uintptr_t>(each) == fault.code))
            led_there.push_back(reinterpret_cast<std::uintptr_t>(each));
    const std::string engine = engines_line(led_there);
    const std::uintptr_t programs_code =
        engine.empty() ? programs_own(fault.code, fault.stack_end, fault.return_address) : programs_call(led_there);
    if (frees_device_memory(fault, programs_code)) {
        const std::uintptr_t begin = fault.address + size_before;
        note_host_free(begin, programs_code);
        const std::string line = source_line(programs_code);
        if (!checked)
            explain(
                "free() or delete got memory of CUDA's%s%s: address 0x%zx, where an allocation of %zu bytes begins. "
                "cudaFree() gives back what is from cudaMalloc(), and cudaFreeHost() what is from cudaMallocHost().",
                line.empty() ? "" : " at ", line.c_str(), std::size_t{begin},
                allocated_at(reinterpret_cast<const void*>(begin)));
    } else if (is_device_address(fault.address)) {
        const std::uintptr_t code = engine.empty() ? place_of_host_touch(fault.address, programs_code) : programs_code;
        note_host_touch(fault.address, fault.write, code, !engine.empty());
        const std::string line = source_line(code);
        const bool algorithm = does_host_work();
        explain("%s touched device memory%s%s: address 0x%zx, %s of device memory.%s",
                algorithm ? "an algorithm of Thrust" : "host code", line.empty() ? "" : " at ", line.c_str(),
                std::size_t{fault.address}, describe_address(fault.address).c_str(),
                algorithm         ? ""
                : !engine.empty() ? " The call needs the address of a variable of the host."
                                  : " Copy it with cudaMemcpy.");
    } else if (const std::string neighbour = describe_address(fault.address); !neighbour.empty()) {
        const std::string line = source_line(programs_code);
        explain("host code touched no memory%s%s: address 0x%zx, %s.", line.empty() ? "" : " at ", line.c_str(),
                std::size_t{fault.address}, neighbour.c_str());
    } else if (!engine.empty()) {
        const std::string line = source_line(programs_code);
        explain(
            "the emulator's own code faulted at %s, address 0x%zx, in the call at %s. If the pointers that the call "
            "gets are right, that is a mistake of the emulator's: please report it, with the program.",
            engine.c_str(), std::size_t{fault.address}, line.empty() ? "an unknown place" : line.c_str());
    }
    host_fault.is_told = true;
}

// With nothing but what a signal handler may do.
void tell_in_short(std::uintptr_t address) {
    char text[] =
        "emulator: a segmentation fault at address 0x0000000000000000 in host code, which held a lock: nothing more "
        "can be said.\n";
    char* digit = std::strstr(text, "0x") + 2 + 15;
    for (; address != 0; address >>= 4) *digit-- = "0123456789abcdef"[address & 15];
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) return;
}

// It is not ours, or told: what was there before us is put back, and the instruction is tried again and meets that.
// That may have been a handler of the program's, which calls us or puts us back: then it is the turn of the one before
// it. If one has called us that we do not know, we are put in front of it, since it need not hand on what it was told.
// So this comes to an end, with what was there at first.
void leave_to_others(int signal) {
    Handlers& handlers = handlers_of(signal);
    const struct sigaction present = present_handler(signal);
    int left = handlers.left;
    if (present.sa_handler == SIG_DFL) return;
    if (!are_same(present, handlers.ours)) {
        left = handlers.count;
        while (left > 0 && !are_same(present, handlers.before[left - 1])) --left;
        if (left-- == 0) {
            sigaction(signal, &handlers.ours, nullptr);
            return;
        }
    }
    struct sigaction by_default = {};
    by_default.sa_handler = SIG_DFL;
    sigaction(signal, left > 0 ? &handlers.before[left - 1] : &by_default, nullptr);
    handlers.left = std::max(left - 1, 0);
}

// False: that was left to others already.
bool is_new_to(Handlers& handlers, std::uintptr_t code, std::uintptr_t address) {
    const pid_t thread = this_os_thread();
    if (handlers.left < handlers.count && thread == handlers.thread && code == handlers.code &&
        address == handlers.address)
        return false;
    handlers.left = handlers.count.load();
    handlers.thread = thread;
    handlers.code = code;
    handlers.address = address;
    return true;
}

void on_host_fault(int signal, const Fault& fault, void* context) {
    pid_t nobody = 0;
    if (!is_new_to(handlers_of(signal), fault.code, fault.address) || fault.kind != Fault::Kind::touch ||
        reporting_thread == this_os_thread())
        return leave_to_others(signal);
    while (!reporting_thread.compare_exchange_strong(nobody, this_os_thread())) {
        nobody = 0;
        const timespec moment{0, 10'000'000};
        nanosleep(&moment, nullptr);
    }
    host_fault.signal = signal;
    host_fault.fault = fault;
    host_fault.is_told = false;
    std::fill(std::begin(host_fault.callers), std::end(host_fault.callers), nullptr);
    backtrace(host_fault.callers, std::size(host_fault.callers));
    host_fault.detour =
        leave_handler(context, reinterpret_cast<std::uintptr_t>(std::end(report_stack)), tell_host_fault, nullptr);
}

void end_host_fault() {
    syscall(SYS_timer_delete, host_fault.timer);
    leave_to_others(host_fault.signal);
    reporting_thread = 0;
}

// Whether a handler of the program's has called us, perhaps without what the system has told it, or somebody has sent
// the signal, which comes only once: then nothing of it is for us.
bool is_left_to_others(int signal, const siginfo_t* info) {
    if (!are_same(present_handler(signal), handlers_of(signal).ours)) {
        leave_to_others(signal);
        return true;
    }
    if (info->si_code > 0) return false;
    is_new_to(handlers_of(signal), 0, 0);
    leave_to_others(signal);
    syscall(SYS_tgkill, getpid(), this_os_thread(), signal);
    return true;
}

void on_fault(int signal, siginfo_t* info, void* context) {
    if (ends_detour(context)) {
        if (reporting_thread == this_os_thread()) end_host_fault();
        return;
    }
    if (is_left_to_others(signal, info)) return;
    const Fault fault = read_fault(info, context);
    Worker* worker = existing_worker;
    if (worker != nullptr && worker->in_kernel())
        worker->faulted(fault, context);
    else if (fault.kind != Fault::Kind::touch || !open_for_host_work(fault.address))
        on_host_fault(signal, fault, context);
}

[[maybe_unused]] void on_arithmetic(int signal, siginfo_t* info, void* context) {
    if (is_left_to_others(signal, info)) return;
    Worker* worker = existing_worker;
    const bool in_kernel = worker != nullptr && worker->in_kernel();
    if (in_kernel && info->si_code == FPE_INTDIV && finish_division(context)) return;
    is_new_to(arithmetic, Registers(context).code, 0);
    leave_to_others(signal);
}

// From the watchdog, or since a report takes too long.
void on_interruption(int, siginfo_t*, void* context) {
    if (reporting_thread == this_os_thread()) {
        if (host_fault.is_told) return;
        tell_in_short(host_fault.fault.address);
        go_back(host_fault.detour, context);
        end_host_fault();
    } else if (existing_worker != nullptr) {
        existing_worker->interrupted(context);
    }
}

void install(Handlers& handlers, void (*handler)(int, siginfo_t*, void*)) {
    handlers.ours.sa_sigaction = handler;
    handlers.ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    const struct sigaction present = present_handler(handlers.signal);
    if (are_same(present, handlers.ours)) return;
    const int known = handlers.count;
    if (known == 0 || !are_same(present, handlers.before[known - 1])) {
        const int last = static_cast<int>(std::size(handlers.before)) - 1;
        handlers.before[std::min(known, last)] = present;
        handlers.count = std::min(known, last) + 1;
    }
    handlers.left = handlers.count.load();
    sigaction(handlers.signal, &handlers.ours, nullptr);
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
    if (const auto* vectors = find_record<fpsimd_context>(*machine, FPSIMD_MAGIC))
        mix(hash, vectors->vregs, sizeof vectors->vregs);
#endif
    const std::uintptr_t top = (stack_pointer - red_zone) / 8 * 8;
    mix(hash, reinterpret_cast<const void*>(top), std::min(stack_end - top, stack_top_bytes));
    return hash;
}

void install_fault_handler() {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    install(segmentation, on_fault);
    install(bus, on_fault);
#if defined(__x86_64__)
    install(arithmetic, on_arithmetic);
#endif
    static bool interruptible = false;
    if (std::exchange(interruptible, true)) return;
    callers();  // The first call loads a library, which a handler may not do.
    struct sigaction action = {};
    action.sa_sigaction = on_interruption;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigaction(WatchedWorker::interruption, &action, nullptr);
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

std::uintptr_t SignalStack::for_detours() const {
    return reinterpret_cast<std::uintptr_t>(own_.ss_sp) + own_.ss_size / 2;
}

void SignalStack::put_back() {
    sigaltstack(&previous_, nullptr);
}

}  // namespace emulator
