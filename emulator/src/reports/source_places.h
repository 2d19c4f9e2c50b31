#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emulator {

/// A line of the program's source; without a path if that is not known.
struct SourcePlace {
    std::string path;
    unsigned line = 0;

    std::string name() const;  ///< "file.cu:12", or nothing
};

/// Of instructions of this process. Many at a time are quicker.
std::vector<SourcePlace> source_places(const std::vector<std::uintptr_t>& codes);
SourcePlace source_place(std::uintptr_t code);

/// The instruction itself, or where the program called what it belongs to, if that is the emulator's: by the return
/// addresses on the stack, from its present end on.
std::uintptr_t programs_own(std::uintptr_t code, std::uintptr_t stack_end);
std::string source_line(std::uintptr_t code);  ///< its name

/// Whether that is what a program wraps cudaMalloc() in for everybody: who calls it is more telling.
bool is_wrapper(std::string_view path);

}  // namespace emulator
