#include "kernel_failure.h"

#include <dlfcn.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "../memory/memory.h"
#include "../reports/error_state.h"
#include "../reports/source_places.h"
#include "../reports/wrong_index.h"
#include "../settings.h"
#include "detour.h"
#include "indices.h"
#include "tell_checker.h"
#include "worker.h"

namespace emulator {
namespace {

// Where the source has the access or the call. On ARM g++ makes calls of atomic operations, into a library of its own
// that has no source lines.
std::uintptr_t place_of(const Fault& fault) {
    const bool is_elsewhere = fault.kind == Fault::Kind::call || fault.kind == Fault::Kind::full_stack;
    if (!is_elsewhere && !source_line(fault.code).empty()) return fault.code;
    return programs_own(fault.code, fault.stack_end, fault.return_address);
}

// Where no thread is at work, one has overwritten what the emulator keeps on the stack.
bool is_in_no_thread() {
    return threadIdx.x >= blockDim.x || threadIdx.y >= blockDim.y || threadIdx.z >= blockDim.z;
}

std::string this_thread() {
    return (is_in_no_thread() ? "a thread" : "thread " + index(threadIdx)) + " of block " + index(blockIdx);
}

// How far off the nearest allocation is, if an index can have led there; else nothing.
std::string far_neighbour(std::uintptr_t address) {
    const std::optional<Neighbour> nearest = nearest_allocation(address);
    if (!nearest) return {};
    const auto distance = static_cast<long long>(address - nearest->begin);
    if (distance < -farthest_index_bytes || distance > farthest_index_bytes) return {};
    const long long beyond = distance < 0 ? -distance : distance - static_cast<long long>(nearest->bytes);
    return ": " + std::to_string(beyond) + (distance < 0 ? " bytes before" : " bytes past the end of") +
           " the nearest one, which has " + std::to_string(nearest->bytes) + " bytes";
}

}  // namespace

void KernelFailure::faulted(const Fault& fault, void* context, std::uintptr_t stack) {
    fault_ = fault;
    if (fault.kind == Fault::Kind::touch) {
        if (fibers_.is_guard_page(fault.address)) fault_.kind = Fault::Kind::full_stack;
        if (fault.address == fault.code) fault_.kind = Fault::Kind::call;
    }
    if (fault_.kind == Fault::Kind::touch) {
        leave_handler(
            context, stack, [](void* failure) { static_cast<KernelFailure*>(failure)->answer_fault(); }, this);
    } else {
        uninterruptible = true;
        unreported_ = Unreported::fault;
        give_up();
    }
}

// Ordinary code again, on a stack of its own. The instruction is tried again when it ends.
void KernelFailure::answer_fault() {
    if (open_for_kernel(fault_.address, grid_->device) || forgive()) return;
    unreported_ = Unreported::fault;
    give_up();
}

void KernelFailure::give_up_overdue(std::uintptr_t code) {
    uninterruptible = true;
    unreported_ = Unreported::overdue;
    fault_.code = code;
    give_up();
}

// On the worker's own stack; that of the thread that failed is as it was.
void KernelFailure::tell_unreported(std::uintptr_t stack) {
    const Unreported what = std::exchange(unreported_, Unreported::nothing);
    if (what == Unreported::fault) report_fault(stack);
    if (what == Unreported::overdue) report_overdue(fault_.code);
}

void KernelFailure::report_fault(std::uintptr_t stack) {
    Fault fault = fault_;
    fault.stack_end = std::max(fault.stack_end, stack);
    const bool misaligned = fault.kind == Fault::Kind::alignment;
    // The address of these is known, and told, before they happen.
    if (!misaligned && fault.kind != Fault::Kind::no_address) EMULATOR_CHECK(fault(fault, place_of(fault)));
    report(misaligned ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress,
           checked ? "" : what_happened(fault) + cause(fault));
}

// Of a touch, as a sentence behind what happened.
std::string KernelFailure::cause(const Fault& fault) const {
    if (fault.kind != Fault::Kind::touch || is_in_no_thread()) return {};
    if (const std::string closed = out_of_reach(fault.address, grid_->device); !closed.empty()) return ". " + closed;
    const std::optional<Neighbour> nearest = nearest_allocation(fault.address);
    const std::string cause =
        nearest ? cause_of_index(static_cast<long long>(fault.address - nearest->begin), 0) : std::string();
    return cause.empty() ? cause : ". " + cause;
}

std::string KernelFailure::what_happened(const Fault& fault) const {
    if (is_in_no_thread())
        return "has overwritten its stack: often an array of its own is too small, or an index of it wrong. nvcc_cpu "
               "--check names the line";
    const std::string line = source_line(place_of(fault));
    const std::string where = line.empty() ? "" : " at " + line;
    if (fault.kind == Fault::Kind::alignment) {
#if defined(__x86_64__)
        const std::string access = (fault.write ? "wrote" : "read") + std::string(" a wide type, such as float4,");
#else
        const std::string access = "did an atomic operation";
#endif
        return access + where + ", at an address that is not a multiple of its size";
    }
    if (fault.kind == Fault::Kind::no_address) return "touched an address that no memory can have" + where;
    if (fault.kind == Fault::Kind::full_stack)
        return "overflowed its stack of " + std::to_string(thread_stack_bytes >> 10) + " KiB" + where +
               ": often a recursion that does not end, or a local array that is too large";

    std::ostringstream what;
    if (fault.kind == Fault::Kind::call) {
        what << "called a function" << where << ", but none is at address 0x" << std::hex << fault.address
             << (fault.address == 0 ? ": the pointer to it is null" : "");
        return what.str();
    }
    what << (fault.write ? "wrote to" : "read") << " address 0x" << std::hex << fault.address << where << ", ";
    const std::string neighbour = describe_address(fault.address);
    what << (neighbour.empty() ? "which is in no allocation" : neighbour);
    if (neighbour.empty()) what << (fault.address < 4096 ? ": a pointer is null" : far_neighbour(fault.address));
    return what.str();
}

bool KernelFailure::forgive() const {
    const NearMiss miss = open_margin(fault_.address, grid_->device);
    if (miss == NearMiss::first)
        explain("kernel %s: %s %s. It goes on, since a GPU would not notice.", grid_->kernel, this_thread().c_str(),
                what_happened(fault_).c_str());
    return miss != NearMiss::none;
}

// Only the first thread of a grid that fails is told of: the others fail for the same reason, or because of it.
void KernelFailure::report(cudaError_t error, const std::string& what, std::uintptr_t code, const std::string& more) {
    if (grid_->failed.exchange(true)) return;
    set_kernel_error(error, grid_->device);
    if (what.empty()) return;                          // The checked build has told of it.
    if (checked && error != cudaErrorLaunchTimeout) {  // a limit that somebody has set is no mistake of the program's
        EMULATOR_CHECK(kernel_fails(error, more.empty() ? what : what + more + ",", code));
        return;
    }
    const std::string line = code == 0 ? "" : source_line(code);
    explain("kernel %s: %s %s%s%s%s", grid_->kernel, this_thread().c_str(), what.c_str(), line.empty() ? "" : " at ",
            line.c_str(), more.c_str());
}

// A thread that has only just begun may be in run_threads(), which has no line of the program: the kernel's lines are
// around.
void KernelFailure::report_overdue(std::uintptr_t code) {
    constexpr std::uintptr_t looked_at = 256;
    std::uintptr_t at = source_line(code).empty() ? 0 : code;
    for (std::uintptr_t away = 1; at == 0 && away < looked_at; ++away)
        for (const std::uintptr_t near : {code + away, code - away})
            if (at == 0 && !source_line(near).empty()) at = near;
    char what[96];
    std::snprintf(what, sizeof what, "has not ended after the %g seconds of %s.%s", value_of<settings::timeout>(),
                  settings::timeout.name, at == 0 ? "" : " It is");
    report(cudaErrorLaunchTimeout, what, at);
}

void KernelFailure::trap(const char* what, const void* code, const char* more) {
    report(cudaErrorLaunchFailure, what, reinterpret_cast<std::uintptr_t>(code) - 1, more);
    give_up();
}

// In CUDA's words, and only for the first thread that fails.
void KernelFailure::fail_assertion(const char* assertion, const char* file, unsigned line, const char* function) {
    if (!grid_->failed.exchange(true)) {
        set_kernel_error(cudaErrorAssert, grid_->device);
        // A kernel's body is a lambda by now; it goes by the kernel's name.
        const std::string full = function;
        const bool in_lambda = full.find("lambda") != full.npos || full.find("(anonymous class)") != full.npos;
        std::fflush(stdout);
        std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
                     in_lambda ? grid_->kernel : function, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
                     threadIdx.z, assertion);
        EMULATOR_CHECK(assertion_fails(assertion, file, line));
    }
    give_up();
}

void trap(const char* what) {
    const Uninterrupted here;
    existing_worker->failure().trap(what, __builtin_return_address(0));
}

void trap(const char* what, std::uint64_t address, std::uint64_t multiple) {
    const Uninterrupted here;
    char more[80];
    std::snprintf(more, sizeof more, ": address 0x%" PRIx64 " is %" PRIu64 " past a multiple of %" PRIu64, address,
                  address % multiple, multiple);
    existing_worker->failure().trap(what, __builtin_return_address(0), more);
}

}  // namespace emulator

// What assert() calls, in the place of the C library's: in a kernel it fails the kernel, elsewhere the program.
extern "C" [[noreturn]] void __assert_fail(const char* assertion, const char* file, unsigned line,
                                           const char* function) noexcept {
    emulator::Worker* worker = emulator::existing_worker;
    if (worker != nullptr && worker->in_kernel()) worker->failure().fail_assertion(assertion, file, line, function);
    using Function = void (*)(const char*, const char*, unsigned, const char*);
    if (auto* library = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "__assert_fail")))
        library(assertion, file, line, function);
    std::abort();
}

// What a call of a pure virtual function leads to, likewise.
extern "C" [[noreturn]] void __cxa_pure_virtual() {
    const emulator::Uninterrupted here;
    emulator::Worker* worker = emulator::existing_worker;
    if (worker != nullptr && worker->in_kernel())
        worker->failure().trap("calls a pure virtual function (the object was destroyed, or is not complete yet)",
                               __builtin_return_address(0));
    std::fputs("pure virtual method called\n", stderr);
    std::abort();
}

// What code compiled with -fsanitize=return calls at the end of a function that does not return its value. On a GPU the
// thread goes on with an undefined value; here it would run into whatever code comes next. Weak: libubsan may bring its
// own.
struct PlaceInSource {
    const char* file;
    unsigned line, column;
};

extern "C" [[noreturn, gnu::weak]] void __ubsan_handle_missing_return(void* place) {
    const emulator::Uninterrupted here;
    const auto* const function = static_cast<const PlaceInSource*>(place);
    char what[320];
    std::snprintf(what, sizeof what, "comes to the end of the function at %s:%u, which does not return its value",
                  function->file, function->line);
    emulator::Worker* worker = emulator::existing_worker;
    if (worker != nullptr && worker->in_kernel()) worker->failure().trap(what, nullptr);
    emulator::explain("host code %s", what);
    std::abort();
}
