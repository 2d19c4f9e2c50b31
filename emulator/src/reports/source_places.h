#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace emulator {

/// A line of the program's source; without a path if that is not known.
struct SourcePlace {
    std::string path;
    unsigned line = 0;

    std::string name() const;  ///< "file.cu:12", or nothing
};

/// Of instructions of this process: of the functions that an instruction was inlined into, the innermost one that the
/// program's author wrote. Not for signal handlers, as nothing here is.
std::vector<SourcePlace> source_places(const std::vector<std::uintptr_t>& codes);
SourcePlace source_place(std::uintptr_t code);
std::string source_line(std::uintptr_t code);  ///< its name

/// Its name and, if that function was inlined into another one of the program's, where: "ptx.h:6 (called at
/// file.cu:12)".
std::string source_line_and_call(std::uintptr_t code);

/// The instruction itself, or where the program called what it belongs to, if that is the emulator's or a library's: by
/// the return address in ARM's register for it, if that is not 0, and by those on the stack, from its present end on.
std::uintptr_t programs_own(std::uintptr_t code, std::uintptr_t stack_end, std::uintptr_t return_address = 0);

/// The return addresses of the calls that led here, the innermost first; the rest is 0.
using Frames = std::array<std::uintptr_t, 12>;
Frames callers();

/// Where the host asked for something, by the return addresses of the calls that led there, the innermost first; 0 if
/// that is not known. Lines of headers are passed over where a source file's can be told: a class that owns memory is
/// there for many, and who makes an object of it is more telling. source_place() knows the answer from then on.
std::uintptr_t programs_call(std::span<const std::uintptr_t> return_addresses);

/// The names of that line and, if the function there was called by another line of the program's source files, of that:
/// "file.cu:6, called at file.cu:12". Else empty or the first alone.
std::string programs_call_and_its_call(std::span<const std::uintptr_t> return_addresses);

/// By the same addresses, where the emulator's own code is at work; empty if it is not.
std::string engines_line(std::span<const std::uintptr_t> return_addresses);

}  // namespace emulator
