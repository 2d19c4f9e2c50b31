#pragma once

#include <string>
#include <string_view>

#include "common/errors.h"

/// Flushes standard output. Throws output_error if anything printed so far could not be written, or if standard output
/// is closed.
void flush_output();

/// Throws usage_error with the reason if the file cannot be written, as far as that can be known in advance; `option`
/// is the option that it was given for. Neither changes the file nor leaves a new one behind.
void require_writable(const std::string& option, const std::string& path);

/// Throws output_error if the file cannot be written; part of it may have been.
void write_file(const std::string& path, std::string_view text);
