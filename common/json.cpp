#include "common/json.h"

#include <cmath>
#include <cstdio>

std::string json_string(std::string_view text) {
    std::string json = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') json += '\\';
        if (static_cast<unsigned char>(c) >= 0x20) {
            json += c;
        } else {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            json += escape;
        }
    }
    return json + '"';
}

std::string json_number(std::optional<double> number) {
    if (!number || !std::isfinite(*number)) return "null";
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", *number);
    return text;
}
