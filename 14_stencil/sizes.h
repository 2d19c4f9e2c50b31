#pragma once

#include <string>
#include <vector>

#include "harness/command_line.h"
#include "harness/program.h"
#include "harness/text.h"

// What both programs of the chapter read from the command line.
namespace sizes {

/// A whole number from 1 to `most`. Throws usage_error.
inline int parse_at_most(const std::string& option, const std::string& text, int most) {
    const std::size_t value = parse_count(option, text);
    if (value > static_cast<std::size_t>(most))
        throw usage_error(option + " " + text + ": must be at most " + with_separators(most));
    return static_cast<int>(value);
}

/// "67x33" as two sides of at most `most` points; likewise for another number of sides. Throws usage_error.
inline std::vector<int> parse_size(const std::string& text, std::size_t sides, int most) {
    std::vector<int> numbers;
    std::size_t begin = 0;
    while (begin <= text.size() && numbers.size() < sides) {
        const std::size_t end = std::min(text.find('x', begin), text.size());
        numbers.push_back(parse_at_most("--size", text.substr(begin, end - begin), most));
        begin = end + 1;
    }
    if (numbers.size() != sides || begin <= text.size())
        throw usage_error("--size " + text + ": must be " + std::to_string(sides) + " numbers, such as " +
                          (sides == 2 ? "67x33" : "67x33x9"));
    return numbers;
}

/// "67 × 33 points, 9 steps"
inline std::string title(const std::vector<int>& sides, int steps) {
    std::string text;
    for (const int side : sides) text += (text.empty() ? "" : " × ") + with_separators(side);
    return text + " points, " + with_separators(steps) + (steps == 1 ? " step" : " steps");
}

}  // namespace sizes
