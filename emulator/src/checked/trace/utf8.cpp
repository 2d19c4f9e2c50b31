#include "utf8.h"

#include <cstddef>
#include <cstdint>

namespace emulator {
namespace {

// How many bytes the character has that begins there; 0: none does.
std::size_t character_at(const std::string& text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned first = byte(at);
    if (first < 0x80) return 1;
    const std::size_t bytes = first >> 5 == 0x6 ? 2 : first >> 4 == 0xe ? 3 : first >> 3 == 0x1e ? 4 : 0;
    if (bytes == 0) return 0;
    std::uint32_t code = first & (0x7fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if (byte(at + i) >> 6 != 2) return 0;
        code = code << 6 | (byte(at + i) & 0x3f);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = code >> 11 == 0x1b;
    return code < least[bytes] || code > 0x10ffff || is_surrogate ? 0 : bytes;
}

}  // namespace

std::string as_utf8(const std::string& text) {
    std::string valid;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t bytes = character_at(text, at);
        if (bytes == 0) {
            valid += "\xef\xbf\xbd";
            ++at;
        } else {
            valid.append(text, at, bytes);
            at += bytes;
        }
    }
    return valid;
}

}  // namespace emulator
