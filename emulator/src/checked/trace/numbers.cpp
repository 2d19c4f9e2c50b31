#include "numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace emulator {
namespace {

template <class T>
T as(const unsigned char* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

template <class T>
std::string written(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(value)) return "\"nan\"";
        if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
    }
    std::array<char, 40> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end.ptr};
}

// JavaScript's numbers are exact up to 2^53.
template <class T>
std::string exact(T value) {
    constexpr auto most = T{1} << 53;
    const bool is_exact = value <= most && (!std::is_signed_v<T> || value >= T{0} - most);
    return is_exact ? written(value) : '"' + written(value) + '"';
}

template <class T>
bool is_usual(T x) {
    const T size = std::fabs(x);
    return size == 0 || (size > T(1e-12) && size < T(1e18));
}

}  // namespace

std::string number_in_json(const unsigned char* bytes, Numbers numbers) {
    if (numbers.kind == Numbers::floating && numbers.bytes == 4) return written(as<float>(bytes));
    if (numbers.kind == Numbers::floating && numbers.bytes == 8) return written(as<double>(bytes));
    if (numbers.kind == Numbers::integral || numbers.kind == Numbers::unsigned_integral) {
        const bool is_signed = numbers.kind == Numbers::integral;
        switch (numbers.bytes) {
            case 1:
                return is_signed ? written<int>(as<std::int8_t>(bytes)) : written<int>(as<std::uint8_t>(bytes));
            case 2:
                return is_signed ? written(as<std::int16_t>(bytes)) : written(as<std::uint16_t>(bytes));
            case 4:
                return is_signed ? written(as<std::int32_t>(bytes)) : written(as<std::uint32_t>(bytes));
            case 8:
                return is_signed ? exact(as<std::int64_t>(bytes)) : exact(as<std::uint64_t>(bytes));
            default:
                break;
        }
    }
    std::string text = "\"0x";
    for (std::size_t i = numbers.bytes; i-- > 0;) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
        text += digits;
    }
    return text + '"';
}

void GuessedNumbers::add(const unsigned char* number, std::size_t bytes) {
    bytes_ = bytes_ == 0 ? bytes : std::min(bytes_, bytes);
    any_ = any_ || std::any_of(number, number + bytes, [](unsigned char b) { return b != 0; });
    for (std::size_t i = 0; i + 4 <= bytes; i += 4) may_be_float_ = may_be_float_ && is_usual(as<float>(number + i));
    for (std::size_t i = 0; i + 8 <= bytes; i += 8) may_be_double_ = may_be_double_ && is_usual(as<double>(number + i));
}

Numbers GuessedNumbers::guess() const {
    if (bytes_ == 8) return {any_ && may_be_double_ ? Numbers::floating : Numbers::integral, 8};
    if (bytes_ >= 4 && bytes_ % 4 == 0) return {any_ && may_be_float_ ? Numbers::floating : Numbers::integral, 4};
    return {Numbers::unsigned_integral, static_cast<unsigned char>(std::clamp<std::size_t>(bytes_, 1, 2))};
}

}  // namespace emulator
