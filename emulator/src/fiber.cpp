#include "fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define EMULATOR_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EMULATOR_ASAN 1
#endif
#endif

#ifdef EMULATOR_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace emulator {
namespace {

namespace context = boost::context::detail;

constexpr std::size_t stack_bytes = 256u << 10;  // touched pages only; a kernel's local arrays live here

std::size_t page() {
    static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

// AddressSanitizer has to be told about every change of stack: Boost.Context, as packaged, does not.
#ifdef EMULATOR_ASAN
void before_switch(void** keep, const Fiber* to) {
    __sanitizer_start_switch_fiber(keep, to->stack, to->stack_bytes);
}
void after_switch(void* kept, Fiber* from) {
    const void* stack = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(kept, &stack, &bytes);
    if (from->stack == nullptr) {  // An OS thread's own stack: now we learn where it is.
        from->stack = static_cast<char*>(const_cast<void*>(stack));
        from->stack_bytes = bytes;
    }
}
void forget_frames(const Fiber& fiber) {
    __asan_unpoison_memory_region(fiber.stack, fiber.stack_bytes);
}
#else
void before_switch(void**, const Fiber*) {}
void after_switch(void*, Fiber*) {}
void forget_frames(const Fiber&) {}
#endif

// Travels with a switch. Lies on the stack that is being left, which stays as it is until somebody switches back.
struct Switch {
    Fiber* from;
    Fiber* to;
};

void arrive(context::transfer_t transfer, void* kept) {
    Fiber* from = static_cast<Switch*>(transfer.data)->from;
    after_switch(kept, from);
    from->context = transfer.fctx;
}

void first_entry(context::transfer_t transfer) {
    const Fiber* self = static_cast<Switch*>(transfer.data)->to;
    arrive(transfer, nullptr);
    self->entry();
}

}  // namespace

FiberPool::~FiberPool() {
    for (const auto& fiber : all_) munmap(fiber->stack - page(), fiber->stack_bytes + page());
}

void FiberPool::prepare(Fiber& fiber, std::size_t index) const {
    forget_frames(fiber);
    // Equal alignment would put the tops of all stacks in the same few cache sets.
    const std::size_t stagger = index * 320 % 4096 / 16 * 16;
    fiber.context =
        context::make_fcontext(fiber.stack + fiber.stack_bytes - stagger, fiber.stack_bytes - stagger, first_entry);
}

Fiber* FiberPool::take() {
    if (!idle_.empty()) return idle_.pop();

    void* memory =
        mmap(nullptr, stack_bytes + page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    mprotect(memory, page(), PROT_NONE);
    auto fiber = std::make_unique<Fiber>();
    fiber->entry = entry_;
    fiber->stack = static_cast<char*>(memory) + page();
    fiber->stack_bytes = stack_bytes;
    prepare(*fiber, all_.size());
    all_.push_back(std::move(fiber));
    return all_.back().get();
}

void FiberPool::reclaim_all() {
    idle_.clear();
    for (std::size_t i = 0; i < all_.size(); ++i) {
        prepare(*all_[i], i);
        idle_.push(all_[i].get());
    }
}

bool FiberPool::is_guard_page(std::uintptr_t address) const {
    return std::any_of(all_.begin(), all_.end(), [&](const auto& fiber) {
        return reinterpret_cast<std::uintptr_t>(fiber->stack) - 1 - address < page();
    });
}

void switch_fiber(Fiber* from, Fiber* to) {
    Switch record{from, to};
    void* kept = nullptr;
    before_switch(&kept, to);
    const context::transfer_t transfer = context::jump_fcontext(to->context, &record);
    arrive(transfer, kept);
}

}  // namespace emulator
