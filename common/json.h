#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

// What programs write with --json, with the library nlohmann/json. Compiling <nlohmann/json.hpp> takes seconds, so few
// files include it.

/// The current device, the versions of CUDA and the compilers. Throws cuda_error. A program built by a bare nvcc line
/// knows only the host's compiler.
nlohmann::ordered_json device_json();

/// Writes a value to a file. Throws output_error if that cannot be done.
void write_json(const std::string& path, const nlohmann::ordered_json& value);
