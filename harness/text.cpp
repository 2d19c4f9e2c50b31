#include "harness/text.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

// Whether the byte continues a character. In UTF-8 every byte but a character's first one does.
bool continues_character(char c) {
    return (c & 0xc0) == 0x80;
}

/// The byte at which character number `index` begins; the text's end if it has no such character.
std::size_t byte_of(std::string_view text, std::size_t index) {
    std::size_t at = 0;
    for (; at < text.size(); ++at)
        if (!continues_character(text[at]) && index-- == 0) break;
    return at;
}

/// The position at which to break a line that is too long: the last blank that lets it fit, else the first one; npos if
/// there is none. Blanks at the line's beginning stay there.
std::size_t break_of(std::string_view line) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t last = line.rfind(' ', byte_of(line, line_width));
    return last != line.npos && last > begin ? last : line.find(' ', begin);
}

}  // namespace

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

std::string right(std::string_view text, std::size_t width) {
    return std::string(width - std::min(width, width_of(text)), ' ') + std::string(text);
}

std::string left(std::string_view text, std::size_t width) {
    return std::string(text) + std::string(width - std::min(width, width_of(text)), ' ');
}

std::string wrapped(std::string_view text, std::size_t indent) {
    if (std::getenv("LAB_WRAPS")) return std::string(text);
    std::string result;
    for (bool more = true; more;) {
        const std::size_t end = text.find('\n');
        std::string line(text.substr(0, end));
        for (std::size_t at; width_of(line) > line_width && (at = break_of(line)) != line.npos;) {
            const std::size_t next = std::min(line.find_first_not_of(' ', at), line.size());
            result += line.substr(0, line.find_last_not_of(' ', at) + 1) + "\n";
            line = std::string(indent, ' ') + line.substr(next);
        }
        result += line;
        more = end != text.npos;
        if (more) {
            result += "\n";
            text.remove_prefix(end + 1);
        }
    }
    return result;
}

std::string shortened(std::string_view text, std::size_t most) {
    if (width_of(text) <= most) return std::string(text);
    return std::string(text.substr(0, byte_of(text, most - 1))) + "…";
}

std::string visible(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        // Unicode has 32 more control characters, from U+0080 on. In UTF-8 they are c2 80 and so on.
        const bool more = c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
        if (c >= 0x20 && c != 0x7f && !more) {
            result += text[i];
            continue;
        }
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(more ? text[++i] & 0xff : c));
        result += c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : escape;
    }
    return result;
}

std::string three_digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", value < 10 ? 2 : value < 100 ? 1 : 0, value);
    return text;
}
