#include "fiber.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "../rounding.h"

#ifdef EMULATOR_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace emulator {
namespace {

constexpr std::size_t stagger = 448;

// Of its mapping: the guard page and what is known about the stack.
std::size_t below_stack() {
    return std::max(local_knowledge, page());
}

#ifdef EMULATOR_ASAN
__thread Fiber* left;  // the fiber that the last switch left

void arrive(void* kept) {
    const void* stack = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(kept, &stack, &bytes);
    if (left->stack == nullptr) {  // An OS thread's own stack: now we learn where it is.
        left->stack = static_cast<char*>(const_cast<void*>(stack));
        left->stack_bytes = bytes;
    }
}
#else
void arrive(void*) {}
#endif

}  // namespace

#if defined(__x86_64__)
extern "C" [[gnu::visibility("hidden")]] void emulator_first_entry() {
    arrive(nullptr);
    run_carrier();
}

// These are the registers that a function must keep, but for MXCSR and the x87's control word: to look at them takes
// 2.2 ns more in a barrier of 8.5, and kernels have no function that sets them. floating_point.h sees to the host that
// does, and to a kernel that is interrupted as it rounds.
//
// Who leaves has not come by a call to be returned from, so it jumps. The first function of a fiber has no caller, as
// debuggers learn.
asm(R"(
.macro go_on
    movq (%rdi), %rax
    testq %rax, %rax
    jz emulator_begin
    movq %rax, %rsp
    movq 8(%rdi), %rbp
    jmp *16(%rdi)
.endm

.text
.globl emulator_switch
.hidden emulator_switch
.type emulator_switch, @function
.p2align 4
emulator_switch:
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    leaq 1f(%rip), %rax
    movq %rsp, (%rdi)
    movq %rbp, 8(%rdi)
    movq %rax, 16(%rdi)
    movq %rsi, %rdi
    go_on
1:  popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    ret
.size emulator_switch, .-emulator_switch

.globl emulator_go_on
.hidden emulator_go_on
.type emulator_go_on, @function
.p2align 4
emulator_go_on:
    go_on
.size emulator_go_on, .-emulator_go_on

.type emulator_begin, @function
.p2align 4
emulator_begin:
    .cfi_startproc
    .cfi_undefined rip
    movq %rdi, %rsp
    call emulator_first_entry
    .cfi_endproc
.size emulator_begin, .-emulator_begin
.purgem go_on
)");
#else
namespace {
void first_entry(boost::context::detail::transfer_t transfer) {
    if (transfer.data != nullptr) static_cast<Fiber*>(transfer.data)->context = transfer.fctx;
    arrive(nullptr);
    run_carrier();
}
}  // namespace

void* first_context(const Fiber& fiber) {
    return boost::context::detail::make_fcontext(fiber.stack + fiber.stack_bytes, fiber.stack_bytes, first_entry);
}
#endif

#ifdef EMULATOR_ASAN
// AddressSanitizer forgets a whole stack where a thread ends for good, and would unmap what it knows of it each time.
extern "C" [[gnu::weak, gnu::visibility("default")]] const char* __asan_default_options() {
    return "clear_shadow_mmap_threshold=1000000000";
}

void forget_frames(const void* stack, std::size_t bytes) {
    __asan_unpoison_memory_region(stack, bytes);
}

void before_switch(void** keep, Fiber* from, const Fiber* to) {
    left = from;
    __sanitizer_start_switch_fiber(keep, to->stack, to->stack_bytes);
}

void after_switch(void* kept) {
    arrive(kept);
}

void after_jump(const Fiber& to) {
    __sanitizer_start_switch_fiber(nullptr, to.stack, to.stack_bytes);
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
    const char* here = static_cast<const char*>(__builtin_frame_address(0));
    forget_frames(to.stack, static_cast<std::size_t>(here - to.stack));
}
#endif

FiberPool::~FiberPool() {
    for (Fiber* fiber : all_) {
        forget_frames(fiber->stack, fiber->stack_bytes);
        munmap(fiber->stack - below_stack(), below_stack() + thread_stack_bytes);
    }
}

void FiberPool::prepare(Fiber& fiber) {
    forget_frames(fiber.stack, fiber.stack_bytes);
    if (checked) madvise(fiber.stack - local_knowledge, thread_stack_bytes, MADV_DONTNEED);
    fiber.parked = false;
    fiber.context = nullptr;
}

Fiber* FiberPool::make() {
    void* memory = mmap(nullptr, below_stack() + thread_stack_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    char* stack = static_cast<char*>(memory) + below_stack();
    if (mprotect(stack - page(), page(), PROT_NONE) != 0) {
        munmap(memory, below_stack() + thread_stack_bytes);
        throw std::bad_alloc();
    }
    // Equal alignment would put the tops of all stacks in the same few cache sets.
    char* top = stack + thread_stack_bytes - (1 + all_.size() * stagger % 4096 / 64) * 64;
    auto* fiber = new (top - (sizeof(Fiber) + 63) / 64 * 64) Fiber;
    fiber->stack = stack;
    fiber->stack_bytes = static_cast<std::size_t>(reinterpret_cast<char*>(fiber) - stack);
    prepare(*fiber);
    all_.push_back(fiber);
    return fiber;
}

void FiberPool::reclaim_all() {
    idle_.clear();
    for (Fiber* fiber : all_) {
        prepare(*fiber);
        idle_.push(fiber);
    }
}

bool FiberPool::is_guard_page(std::uintptr_t address) const {
    return std::any_of(all_.begin(), all_.end(), [&](const Fiber* fiber) {
        return reinterpret_cast<std::uintptr_t>(fiber->stack) - 1 - address < page();
    });
}

bool FiberPool::is_on_a_stack(std::uintptr_t address) const {
    return std::any_of(all_.begin(), all_.end(), [&](const Fiber* fiber) {
        return address - reinterpret_cast<std::uintptr_t>(fiber->stack) < fiber->stack_bytes;
    });
}

}  // namespace emulator
