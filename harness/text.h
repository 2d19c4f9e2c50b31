#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "common/separators.h"

// Text for a terminal. Widths are counted in characters, not in bytes: "µ" and "×" count as one.

/// The most characters in a line that a program prints.
inline constexpr std::size_t line_width = 80;

/// The number of characters in the text.
std::size_t width_of(std::string_view text);

/// The text at the right or left edge of a column, filled up with blanks.
std::string right(std::string_view text, std::size_t width);
std::string left(std::string_view text, std::size_t width);

/// The text in lines of at most line_width characters, broken at blanks; every line but the first begins with `indent`
/// blanks. A word that is longer than a line stays whole. If $LAB_WRAPS is set, ./lab translates the text and breaks
/// it.
std::string wrapped(std::string_view text, std::size_t indent = 0);

/// At most `most` characters of the text. If something was cut, the last of them is "…".
std::string shortened(std::string_view text, std::size_t most);

/// The text with control characters spelled out: a line break as \n, an escape as \x1b. It stays on one line.
std::string visible(std::string_view text);

/// Three significant digits of a number that is not negative: "3.05", "30.5", "305", and "3052".
std::string three_digits(double value);
