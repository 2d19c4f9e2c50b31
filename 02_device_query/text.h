#pragma once

#include <cmath>
#include <cstdio>
#include <string>

#include "harness/text.h"

// Numbers as people read them.
namespace device_query {

/// Three digits below a thousand ("54.8", "7.10", "0.083"), and a whole number from there on ("3,352").
inline std::string rounded(double number) {
    if (number >= 999.5) return with_separators(static_cast<std::size_t>(std::llround(number)));
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", number >= 99.95 ? 0 : number >= 9.995 ? 1 : number >= 1 ? 2 : 3, number);
    return text;
}

/// 52428800 → "52,428,800 bytes = 50 MiB"
inline std::string bytes_text(std::size_t bytes) {
    const std::string text = with_separators(bytes) + " bytes";
    double value = static_cast<double>(bytes);
    const char* unit = nullptr;
    for (const char* larger : {"KiB", "MiB", "GiB"})
        if (value >= 1024) value /= 1024, unit = larger;
    if (unit == nullptr) return text;
    char short_text[32];
    std::snprintf(short_text, sizeof short_text, " = %.4g ", value);
    return text + short_text + unit;
}

}  // namespace device_query
