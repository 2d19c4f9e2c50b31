#pragma once

#include <cstddef>
#include <cstdint>

// Where the host's allocations end, for copies that go beyond. Behind each one of malloc(), calloc() and realloc(), and
// so behind a std::vector, lies a mark that tells its own address, and is nowhere else. A copy looks for one among its
// bytes, so that nobody has to keep a list:
// host_allocation_bytes() in memory.h.
namespace emulator {

/// What malloc() asks the C library for.
std::size_t with_mark(std::size_t bytes);
/// Puts the mark behind the allocation, which was asked for so; null: nothing.
void* mark_end(void* memory, std::size_t bytes);
/// The allocation is about to be freed.
void remove_mark(void* memory);

}  // namespace emulator
