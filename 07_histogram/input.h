#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The bytes that the program counts.
namespace histogram {

inline constexpr std::string_view kinds[] = {"random", "one", "skewed", "sorted"};

/// n bytes of a kind. random: every value is as likely as any other. one: all are the same. skewed: letters, as often
/// as they occur in English. sorted: random bytes in order. Throws usage_error if they do not fit into the device's or
/// the host's memory.
std::vector<std::uint8_t> make_bytes(std::string_view kind, std::size_t n, std::uint64_t seed);

/// The name of a kind in the title of its table.
std::string title_of(std::string_view kind);

/// The bytes of a file, or of a pipe until it ends. Throws usage_error if it cannot be read or does not fit into the
/// device's or the host's memory.
std::vector<std::uint8_t> read_file(const std::string& path);

}  // namespace histogram
