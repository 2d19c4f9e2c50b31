#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace emulator {

/// What a kernel has allocated with malloc() or new. Once a kernel has freed it, it is kept for a while, so that those
/// who still use it are found.
struct KernelAllocation {
    std::uintptr_t begin;
    std::size_t bytes;
    bool freed;
    std::uintptr_t freed_by;  // what the call of free() or delete returns to
    int device;
};

/// The one that the address lies in or close behind.
std::optional<KernelAllocation> kernel_allocation_at(std::uintptr_t address);

/// If malloc() or new has returned a null pointer in this launch, since the device's heap was full: a sentence.
std::string describe_full_heap();
void forget_full_heap();

}  // namespace emulator
