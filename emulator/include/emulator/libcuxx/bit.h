#pragma once

#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

// <cuda/std/bit> of libcu++, which C++17 has there, too.

namespace cuda {
namespace std {

#if __cplusplus >= 202002L
using ::std::bit_cast;
using ::std::bit_ceil;
using ::std::bit_floor;
using ::std::bit_width;
using ::std::countl_one;
using ::std::countl_zero;
using ::std::countr_one;
using ::std::countr_zero;
using ::std::endian;
using ::std::has_single_bit;
using ::std::popcount;
using ::std::rotl;
using ::std::rotr;
#else
template <class To, class From>
To bit_cast(const From& from) noexcept {
    static_assert(sizeof(To) == sizeof(From) && ::std::is_trivially_copyable_v<To> &&
                  ::std::is_trivially_copyable_v<From>);
    To to;
    ::std::memcpy(static_cast<void*>(&to), &from, sizeof to);
    return to;
}

template <class T>
constexpr int popcount(T x) noexcept {
    static_assert(::std::is_unsigned_v<T>);
    return __builtin_popcountll(x);
}
template <class T>
constexpr int countl_zero(T x) noexcept {
    static_assert(::std::is_unsigned_v<T>);
    return x == 0 ? ::std::numeric_limits<T>::digits : __builtin_clzll(x) - 64 + ::std::numeric_limits<T>::digits;
}
template <class T>
constexpr int countr_zero(T x) noexcept {
    static_assert(::std::is_unsigned_v<T>);
    return x == 0 ? ::std::numeric_limits<T>::digits : __builtin_ctzll(x);
}
template <class T>
constexpr int countl_one(T x) noexcept {
    return countl_zero(static_cast<T>(~x));
}
template <class T>
constexpr int countr_one(T x) noexcept {
    return countr_zero(static_cast<T>(~x));
}
template <class T>
constexpr bool has_single_bit(T x) noexcept {
    return popcount(x) == 1;
}
template <class T>
constexpr int bit_width(T x) noexcept {
    return ::std::numeric_limits<T>::digits - countl_zero(x);
}
template <class T>
constexpr T bit_floor(T x) noexcept {
    return x == 0 ? T(0) : static_cast<T>(T(1) << (bit_width(x) - 1));
}
template <class T>
constexpr T bit_ceil(T x) noexcept {
    return x <= 1 ? T(1) : static_cast<T>(T(1) << bit_width(static_cast<T>(x - 1)));
}
template <class T>
constexpr T rotl(T x, int n) noexcept {
    constexpr int bits = ::std::numeric_limits<T>::digits;
    const int left = (n % bits + bits) % bits;
    return left == 0 ? x : static_cast<T>(static_cast<T>(x << left) | x >> (bits - left));
}
template <class T>
constexpr T rotr(T x, int n) noexcept {
    return rotl(x, -n);
}
enum class endian { little = __ORDER_LITTLE_ENDIAN__, big = __ORDER_BIG_ENDIAN__, native = __BYTE_ORDER__ };
#endif

}  // namespace std
}  // namespace cuda
