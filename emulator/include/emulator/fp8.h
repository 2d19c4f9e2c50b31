#pragma once

#include <cmath>

#include "emulator/half.h"

// Numbers of 8 bits, which cuda_fp8.h and inline PTX convert: e4m3 has 4 bits of exponent and no infinity, e5m2 has 5
// and is the upper half of a half.
namespace emulator {

/// To the nearest, ties to even. What is too large becomes the largest number if it saturates, else a NaN or, as e5m2,
/// infinity.
inline unsigned char fp8_from(double x, bool saturates, bool e4m3) {
    const int mantissa = e4m3 ? 3 : 2, least = e4m3 ? -6 : -14;  // exponent of the smallest number that is no subnormal
    const unsigned largest = e4m3 ? 0x7e : 0x7b;
    if (x != x) return 0x7f;
    const unsigned sign = std::signbit(x) ? 0x80 : 0;
    unsigned magnitude = largest + 1;  // NaN or infinity
    if (std::fabs(x) < 1e6) {
        const int exponent = x == 0 || std::ilogb(x) < least ? least : std::ilogb(x);
        const auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(std::fabs(x), mantissa - exponent)));
        // The leading bit of `steps`, if it has one, counts the exponent up; so does a carry.
        magnitude = (static_cast<unsigned>(exponent - least) << mantissa) + steps;
    }
    if (magnitude > largest) magnitude = saturates ? largest : largest + 1;
    return static_cast<unsigned char>(sign | magnitude);
}

inline float fp8_to_float(unsigned char x, bool e4m3) {
    using Half = Float16<10, -14>;
    if (!e4m3) return Half::to_float(static_cast<unsigned short>(x << 8));
    const int exponent = x >> 3 & 15, fraction = x & 7;
    if ((x & 0x7f) == 0x7f) return Half::to_float(0x7fff);
    const float size = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -9)
                                     : std::ldexp(static_cast<float>(8 + fraction), exponent - 10);
    return x & 0x80 ? -size : size;
}

}  // namespace emulator
