#pragma once

#include <cstdint>

// What is done when all lanes of a warp have come to multiply_matrices() or exchange_rows(); each has brought the
// address of what it brings.
namespace emulator {

void multiply_brought(const std::uint64_t* lanes);
void exchange_brought(const std::uint64_t* lanes);

}  // namespace emulator
