#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "emulator/atomics.h"
#include "emulator/intrinsics.h"
#include "emulator/types.h"

// What cuda_fp16.h and cuda_bf16.h share: numbers of 16 bits, computed in double and rounded once. So the results of
// arithmetic and conversions are exact, as on a GPU. Approximations on a GPU, whose last bit may differ: hexp, hlog,
// hsin and their like, and division.

namespace emulator {

enum class Rounding { nearest, to_zero, up, down };

/// A binary format of 16 bits with IEEE's subnormals, infinities and NaNs.
template <int mantissa_bits, int least_exponent>
struct Float16 {
    static constexpr int mantissa = mantissa_bits, least = least_exponent;
    static constexpr std::uint16_t infinity = 0x7fff & ~((1 << mantissa_bits) - 1), nan = 0x7fff;

    static std::uint16_t round(double x, Rounding mode = Rounding::nearest) {
        const auto bits = bits_as<std::uint64_t>(x);
        const auto sign = static_cast<std::uint16_t>(bits >> 63 << 15);
        if (x != x) return nan;
        const int biased = static_cast<int>(bits >> 52 & 0x7ff);
        if (biased == 0x7ff) return sign | infinity;
        if (bits << 1 == 0) return sign;
        // significand * 2^(exponent - 52), of which `drop` bits have no room
        const std::uint64_t significand = (bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{biased != 0} << 52;
        const int exponent = biased - 1023;
        const int needed = 52 - mantissa + (exponent < least ? least - exponent : 0), drop = needed < 62 ? needed : 62;
        const std::uint64_t kept = significand >> drop, half = std::uint64_t{1} << (drop - 1);
        const std::uint64_t rest = significand & (2 * half - 1);
        const bool more = mode == Rounding::nearest   ? rest > half || (rest == half && kept & 1)
                          : mode == Rounding::to_zero ? false
                                                      : rest != 0 && (mode == Rounding::up) == (sign == 0);
        // A carry out of the mantissa ends up in the exponent, where it belongs.
        const std::uint64_t magnitude =
            kept + more + (exponent > least ? std::uint64_t(exponent - least) << mantissa : 0);
        if (magnitude < infinity) return static_cast<std::uint16_t>(sign | magnitude);
        const bool beyond = mode == Rounding::nearest || (mode != Rounding::to_zero && (mode == Rounding::up) == !sign);
        return static_cast<std::uint16_t>(sign | (beyond ? infinity : infinity - 1));
    }

    static float to_float(std::uint16_t bits) {
        const std::uint32_t sign = std::uint32_t(bits & 0x8000) << 16, magnitude = bits & 0x7fff;
        if (magnitude >= infinity)
            return bits_as<float>(sign | 0x7f800000u | (magnitude - infinity) << (23 - mantissa));
        constexpr int rebias = 127 - 1 + least;  // of the exponents
        if (magnitude >> mantissa || rebias == 0)
            return bits_as<float>(sign | ((magnitude << (23 - mantissa)) + (std::uint32_t(rebias) << 23)));
        const float size = std::ldexp(static_cast<float>(magnitude), least - mantissa);
        return sign ? -size : size;
    }
};

/// A whole number as a double. Large ones are rounded to odd, so that rounding again gives what rounding once would.
inline double odd_double(unsigned long long x) {
    if (x >> 53) x = (x & ~0x7ffull) | (x & 0x7ff ? 0x800u : 0u);
    return static_cast<double>(x);
}
inline double odd_double(long long x) {
    return x < 0 ? -odd_double(0 - static_cast<unsigned long long>(x)) : odd_double(static_cast<unsigned long long>(x));
}

/// a * b + c, the product being exact and the sum rounded to odd.
inline double odd_fma(double a, double b, double c) {
    const double product = a * b, sum = product + c;
    if (!std::isfinite(sum)) return sum;
    const double c_part = sum - product, lost = (product - (sum - c_part)) + (c - c_part);
    auto bits = bits_as<std::uint64_t>(sum);
    if (lost != 0 && bits % 2 == 0) bits = (lost > 0) == (sum > 0) ? bits + 1 : bits - 1;
    return bits_as<double>(bits);
}

}  // namespace emulator
