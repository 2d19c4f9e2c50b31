#include "tensor_floats.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace emulator {
namespace {

struct Format {
    int mantissa, least;  // bits behind the point; the exponent of the smallest normal number
};

Format format_of(Element element) {
    switch (element) {
        case Element::f16:
            return {10, -14};
        case Element::bf16:
            return {7, -126};
        case Element::tf32:
            return {10, -126};
        default:
            return {23, -126};
    }
}

// The bits of ±size · 2^exponent, to nearest or cut off; of what becomes 0, without its sign.
std::uint32_t pack(Element element, bool negative, std::uint64_t size, int exponent) {
    const auto [mantissa, least] = format_of(element);
    const bool nearest = element == Element::f16;
    const std::uint32_t infinity = nearest ? 0x7c00 : 0x7f800000;
    if (size == 0) return 0;
    const int power = std::max(exponent + static_cast<int>(std::bit_width(size)) - 1, least);
    const int drop = power - mantissa - exponent;
    std::uint64_t kept = 0;
    if (drop <= 0) {
        kept = size << -drop;
    } else if (drop < 64) {
        kept = size >> drop;
        const std::uint64_t rest = size & ((std::uint64_t{1} << drop) - 1), half = std::uint64_t{1} << (drop - 1);
        kept += nearest && (rest > half || (rest == half && kept % 2 != 0));
    }
    // A leading one adds 1 to the exponent, which a subnormal number has not.
    const std::uint64_t magnitude = kept + (static_cast<std::uint64_t>(power - least) << mantissa);
    if (magnitude == 0) return 0;
    const std::uint32_t sign = negative ? 1u << (nearest ? 15 : 31) : 0;
    return sign | (magnitude < infinity ? static_cast<std::uint32_t>(magnitude) : infinity);
}

std::uint32_t not_a_number(Element element) {
    return element == Element::f16 ? 0x7fff : 0x7fffffff;
}

// significand · 2^-from as a multiple of 2^-to, `down` powers of two lower, cut off.
std::int64_t aligned(std::int64_t significand, int from, int to, int down) {
    if (significand == 0) return 0;  // its power of two may be any
    const int left = to - from - down;
    if (left >= 0) return significand * (std::int64_t{1} << left);
    if (left <= -63) return 0;
    return significand / (std::int64_t{1} << -left);
}

// What the exceptional values among the addends make of the sum.
struct Exceptions {
    bool nan = false, up = false, down = false;

    void add(bool infinite, bool not_a_number, bool negative) {
        nan |= not_a_number;
        if (infinite && !not_a_number) (negative ? down : up) = true;
    }
};

struct Addend {
    std::int64_t significand;
    int exponent;
};

Addend product(const TensorFloat& a, const TensorFloat& b) {
    return {std::int64_t{a.significand} * b.significand, a.exponent + b.exponent};
}

std::uint32_t fused_sum(Element factors, Element sum, unsigned products, const TensorFloat* a, const TensorFloat* b,
                        std::uint32_t c_bits) {
    using Kind = TensorFloat::Kind;
    const TensorFloat c = unpack(sum, c_bits);
    Exceptions exceptions;
    exceptions.add(c.kind == Kind::infinite, c.kind == Kind::nan, c.negative);
    int largest = c.significand != 0 ? c.exponent : std::numeric_limits<int>::min();
    for (unsigned l = 0; l < products; ++l) {
        const bool infinite = a[l].kind == Kind::infinite || b[l].kind == Kind::infinite;
        const bool zero = (a[l].kind == Kind::finite && a[l].significand == 0) ||
                          (b[l].kind == Kind::finite && b[l].significand == 0);
        const bool nan = a[l].kind == Kind::nan || b[l].kind == Kind::nan || (infinite && zero);
        exceptions.add(infinite, nan, a[l].negative != b[l].negative);
        if (const Addend addend = product(a[l], b[l]); addend.significand != 0)
            largest = std::max(largest, addend.exponent);
    }
    if (exceptions.nan || (exceptions.up && exceptions.down)) return not_a_number(sum);
    if (exceptions.up || exceptions.down)
        return sum == Element::f16 ? (exceptions.up ? 0x7c00 : 0xfc00) : (exceptions.up ? 0x7f800000 : 0xff800000);
    if (largest == std::numeric_limits<int>::min()) return 0;

    largest = std::max(largest, hopper.least_exponent);
    const int behind_point = 2 * format_of(factors).mantissa;
    std::int64_t total = 0;
    for (unsigned l = 0; l < products; ++l) {
        const Addend addend = product(a[l], b[l]);
        total += aligned(addend.significand, behind_point, hopper.fraction_bits, largest - addend.exponent);
    }
    total += aligned(c.significand, format_of(sum).mantissa, hopper.fraction_bits, largest - c.exponent);
    const auto size = static_cast<std::uint64_t>(total < 0 ? -total : total);
    return pack(sum, total < 0, size, largest - hopper.fraction_bits);
}

}  // namespace

TensorFloat unpack(Element element, std::uint32_t bits) {
    const auto [mantissa, least] = format_of(element);
    if (element == Element::tf32) bits >>= 13;
    const int width = element == Element::f16 || element == Element::bf16 ? 16 : element == Element::tf32 ? 19 : 32;
    const bool negative = (bits >> (width - 1) & 1) != 0;
    const auto all_ones = static_cast<int>((1u << (width - 1 - mantissa)) - 1);
    const int field = static_cast<int>(bits >> mantissa) & all_ones;
    auto significand = static_cast<std::int32_t>(bits & ((1u << mantissa) - 1));
    if (field == all_ones)
        return {0, 0, significand != 0 ? TensorFloat::Kind::nan : TensorFloat::Kind::infinite, negative};
    if (field != 0) significand |= 1 << mantissa;
    return {negative ? -significand : significand, static_cast<std::int16_t>(least + std::max(field - 1, 0)),
            TensorFloat::Kind::finite, negative};
}

std::uint32_t tensor_dot(Element factors, Element sum, unsigned k, const TensorFloat* a, const TensorFloat* b,
                         std::uint32_t c) {
    for (unsigned l = 0; l < k; l += hopper.products)
        c = fused_sum(factors, sum, std::min(k - l, hopper.products), a + l, b + l, c);
    return c;
}

}  // namespace emulator
