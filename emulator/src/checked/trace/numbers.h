#pragma once

#include <cstddef>
#include <string>

#include "emulator/check.h"

// Bytes as the numbers that they stand for.
namespace emulator {

/// In JSON: 1.5, -3, "nan", and bytes of an unknown kind as "0x0a0b".
std::string number_in_json(const unsigned char* bytes, Numbers numbers);

/// What numbers seem to be of which only the bytes are known. Whole numbers in use are small, and read as a float the
/// small ones are tiny.
class GuessedNumbers {
  public:
    void add(const unsigned char* number, std::size_t bytes);
    Numbers guess() const;

  private:
    std::size_t bytes_ = 0;  // the fewest that were moved at once
    bool any_ = false, may_be_float_ = true, may_be_double_ = true;
};

}  // namespace emulator
