#pragma once

#include <unistd.h>

#include <cstddef>

namespace emulator {

/// `n`, or the next multiple above it.
constexpr std::size_t round_up(std::size_t n, std::size_t multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

/// The bytes of a page of memory.
inline std::size_t page() {
    static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

}  // namespace emulator
