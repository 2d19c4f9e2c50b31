#pragma once

#include <cstdint>

/// One pixel, in the format of PNG files and windows. A kernel can write it with a single store of 4 bytes.
struct alignas(4) Rgba {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;

    bool operator==(const Rgba&) const = default;
};
