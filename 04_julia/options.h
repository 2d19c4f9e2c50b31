#pragma once

#include <string>
#include <utility>

#include "julia.h"

// What the user writes, as numbers.
namespace julia {

/// "-0.8,0.156" as a complex number; `option` is what it was given for. Throws usage_error for anything but two finite
/// numbers.
Complex parse_complex(const std::string& option, const std::string& text);

/// A finite number above 0. Throws usage_error otherwise.
float parse_scale(const std::string& text);

/// "1000" or "1920x1080" as width and height. Throws usage_error for anything else, 0 included.
std::pair<int, int> parse_size(const std::string& text);

/// A whole number from 1 on. Throws usage_error otherwise.
int parse_iterations(const std::string& text);

/// "red" or "smooth". Throws usage_error for others.
Palette parse_palette(const std::string& text);

/// "1000 × 1000, c = -0.8 + 0.156i, 200 iterations", and what else is not the notes'.
std::string title_of(const View& view);

}  // namespace julia
