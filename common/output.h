#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

/// What a program has to say cannot be written. The message says where, and why.
struct output_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Writes out what was printed until now. Throws output_error if it, or something before it, could not be written, and
/// if standard output is closed.
void flush_output();

/// Throws usage_error, with the reason, unless the file that was given for an option can be written, as far as one can
/// tell before. What is in it stays there, and no new one is left behind.
void require_writable(const std::string& option, const std::string& path);

/// Throws output_error if the file cannot be written; part of it may have been.
void write_file(const std::string& path, std::string_view text);
