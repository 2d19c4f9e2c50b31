#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What the program counts.
namespace histogram {

inline constexpr std::string_view kinds[] = {"random", "one", "skewed", "sorted"};

/// n bytes of a kind. random: every value is as likely as any other. one: all are the same. skewed: letters, as often
/// as they occur in English. sorted: the random ones in order. Throws usage_error if that is more than fits into the
/// device's or the host's memory.
std::vector<std::uint8_t> make_bytes(std::string_view kind, std::size_t n, std::uint64_t seed);

/// What a kind is called above its table.
std::string title_of(std::string_view kind);

/// The bytes of a file, or of a pipe until it ends. Throws usage_error if it cannot be read or is more than fits into
/// the device's or the host's memory.
std::vector<std::uint8_t> read_file(const std::string& path);

}  // namespace histogram
