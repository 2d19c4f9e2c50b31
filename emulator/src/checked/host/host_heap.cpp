#include "host_heap.h"

#include <malloc.h>

#include <cerrno>
#include <cstring>

#include "../memory.h"
#include "allocations.h"

extern "C" {
void* __libc_calloc(std::size_t n, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
}

namespace emulator {
namespace {

constexpr std::size_t least_bytes = 64;  // Smaller allocations are many, and seldom copied.
constexpr std::uint64_t secret = 0x9d3f61c8a7e25b04;

struct Mark {
    std::uint64_t key;  // its own address and the secret
    std::uintptr_t end;
};

constexpr std::uintptr_t rounded_up(std::uintptr_t address) {
    return (address + sizeof(Mark) - 1) / sizeof(Mark) * sizeof(Mark);
}

Mark mark_at(std::uintptr_t address) {
    Mark mark;
    std::memcpy(&mark, reinterpret_cast<const void*>(address), sizeof mark);
    return mark;
}
bool is_mark(const Mark& mark, std::uintptr_t address) {
    return mark.key == (address ^ secret);
}
void write_mark(std::uintptr_t address, Mark mark) {
    std::memcpy(reinterpret_cast<void*>(address), &mark, sizeof mark);
}

// In the last bytes of what the C library has given there is another one: they can be found without its size.
std::uintptr_t last_mark(void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory) + (malloc_usable_size(memory) / sizeof(Mark) - 1) * sizeof(Mark);
}

// Where the allocation ends; 0 if it has no mark.
std::uintptr_t marked_end(void* memory) {
    if (malloc_usable_size(memory) < sizeof(Mark)) return 0;
    const std::uintptr_t at = last_mark(memory);
    const Mark mark = mark_at(at);
    return is_mark(mark, at) ? mark.end : 0;
}

}  // namespace

std::size_t with_mark(std::size_t bytes) {
    if (bytes < least_bytes || bytes > PTRDIFF_MAX) return bytes;
    return rounded_up(bytes) + sizeof(Mark);
}

void* mark_end(void* memory, std::size_t bytes) {
    if (memory == nullptr || bytes < least_bytes || bytes > PTRDIFF_MAX) return memory;
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(memory) + bytes;
    for (const std::uintptr_t at : {rounded_up(end), last_mark(memory)}) write_mark(at, {at ^ secret, end});
    return memory;
}

void remove_mark(void* memory) {
    const std::uintptr_t end = marked_end(memory);
    if (end == 0) return;
    for (const std::uintptr_t at : {rounded_up(end), last_mark(memory)}) write_mark(at, {});
}

std::size_t host_allocation_bytes(const void* pointer, std::size_t bytes) {
    constexpr std::uintptr_t page = 4096;
    const auto begin = reinterpret_cast<std::uintptr_t>(pointer), end = begin + bytes;
    // The mark of an allocation that ends within the last bytes lies behind them.
    const std::uintptr_t readable = (end + page - 1) / page * page;
    for (std::uintptr_t at = rounded_up(begin); at <= rounded_up(end) && at + sizeof(Mark) <= readable;
         at += sizeof(Mark)) {
        const Mark mark = mark_at(at);
        if (is_mark(mark, at)) return begin < mark.end && mark.end < end ? mark.end - begin : bytes;
    }
    return bytes;
}

}  // namespace emulator

extern "C" {

// In place of the C library's; malloc() and free() are in kernel_heap.cpp.
void* calloc(std::size_t n, std::size_t bytes) {
    std::size_t all = 0;
    if (__builtin_mul_overflow(n, bytes, &all)) {
        errno = ENOMEM;
        return nullptr;
    }
    return emulator::mark_end(__libc_calloc(1, emulator::with_mark(all)), all);
}

void* realloc(void* memory, std::size_t bytes) {
    using namespace emulator;
    const std::uintptr_t end = memory == nullptr ? 0 : marked_end(memory);
    if (end != 0) remove_mark(memory);
    void* const moved = __libc_realloc(memory, with_mark(bytes));
    if (moved == nullptr && end != 0 && bytes != 0)
        mark_end(memory, end - reinterpret_cast<std::uintptr_t>(memory));  // It is still there.
    return mark_end(moved, bytes);
}

}  // extern "C"
