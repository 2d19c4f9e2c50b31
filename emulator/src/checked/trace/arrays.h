#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../counters/memory_requests.h"
#include "emulator/check.h"

namespace emulator {

/// Memory that a watched kernel uses: an array as the kernel calls it, or an allocation.
struct TracedArray {
    std::string name;
    Memory memory;
    std::uintptr_t begin;  // of shared memory: from the block's first byte
    std::size_t bytes;
    std::size_t element_bytes;         // 0: not known
    std::vector<std::size_t> extents;  // none: a single variable
    Numbers numbers;
};

/// The arrays of a launch.
class TracedArrays {
  public:
    struct Place {
        std::uint32_t array;
        std::int64_t offset;  // in bytes; beyond the array, or below 0, if the access is out of bounds
    };

    void add_pointer(const char* name, std::uintptr_t address, const DescribedVariable& pointee);

    /// `shared`: where the shared memory of the thread's block is.
    Place find(std::uintptr_t address, std::size_t bytes, Memory memory, std::uintptr_t shared);

    const std::vector<TracedArray>& all() const { return all_; }

  private:
    struct Pointer {
        std::string name;
        std::uintptr_t address;
        DescribedVariable pointee;
    };

    void add_shared(std::uintptr_t at, std::size_t bytes);
    void add_global(std::uintptr_t address);
    void add_variable(std::uintptr_t address, Memory memory);
    void add_part(TracedArray whole, std::uintptr_t address);

    std::vector<TracedArray> all_;
    std::vector<Pointer> pointers_;
    std::size_t last_ = 0;
};

}  // namespace emulator
