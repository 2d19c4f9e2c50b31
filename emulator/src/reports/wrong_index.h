#pragma once

#include <cstddef>
#include <string>

// What a report says of an index that leads out of an array.
namespace emulator {

/// Beyond that an address has nothing to do with an array.
inline constexpr long long farthest_index_bytes = 1ll << 36;

/// The usual cause, a sentence; empty if nothing hints at it. The access is `distance` bytes behind the beginning of
/// the array, and outside of it. `element_bytes`: those of an access to an element; 0: not known.
std::string cause_of_index(long long distance, std::size_t element_bytes);

}  // namespace emulator
