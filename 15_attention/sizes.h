#pragma once

#include <string>

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

}  // namespace sizes
