#pragma once

#include <string>

namespace emulator {

/// The text with U+FFFD in the place of each byte that belongs to no character of UTF-8, as JSON and pages want it:
/// file names and arguments may be any bytes.
std::string as_utf8(const std::string& text);

}  // namespace emulator
