#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

// How programs write --json files, with the library nlohmann/json. Compiling <nlohmann/json.hpp> takes seconds, so few
// files include it.

/// The current device, and the versions of CUDA and of the compilers. A program that was built by nvcc alone, without
/// CMake, knows only the host compiler's version. Throws cuda_error.
nlohmann::ordered_json device_json();

/// Writes a value to a file. Throws output_error if that cannot be done.
void write_json(const std::string& path, const nlohmann::ordered_json& value);
