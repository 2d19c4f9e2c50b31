#include "kernel_heap.h"

#include <cstddef>
#include <iterator>
#include <map>

#include "checker.h"
#include "emulator/engine.h"

namespace emulator {
namespace {

// By first address. Not forgotten when it is freed: the host may get the memory then, but that is the smaller mistake.
std::map<std::uintptr_t, std::size_t>& kernel_heap() {
    static auto& heap = *new std::map<std::uintptr_t, std::size_t>;
    return heap;
}

}  // namespace

bool is_from_kernel(std::uintptr_t address) {
    const auto after = kernel_heap().upper_bound(address);
    return after != kernel_heap().begin() && address - std::prev(after)->first < std::prev(after)->second;
}

}  // namespace emulator

extern "C" {

void* __libc_malloc(std::size_t bytes);

// In place of the C library's.
void* malloc(std::size_t bytes) {
    void* memory = __libc_malloc(bytes);
    if (emulator::active_checker != nullptr && !emulator::uninterruptible && memory != nullptr) {
        const emulator::Uninterrupted here;
        emulator::kernel_heap()[reinterpret_cast<std::uintptr_t>(memory)] = bytes;
    }
    return memory;
}

}  // extern "C"
