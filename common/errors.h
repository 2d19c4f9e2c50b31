#pragma once

#include <stdexcept>

/// A stage computed something wrong. The message names the stage, the first wrong index, expected and actual.
struct wrong_result : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The user asked for something that cannot be done. The message says what, and what is possible instead.
struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The output of a program cannot be written. The message names the place and the reason.
struct output_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};
