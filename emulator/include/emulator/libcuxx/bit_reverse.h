#pragma once

#include <limits>
#include <type_traits>

// <cuda/bit> of libcu++.

namespace cuda {

template <class T>
constexpr T bit_reverse(T x) noexcept {
    static_assert(::std::is_unsigned_v<T>, "bit_reverse() is of unsigned numbers");
    T result = 0;
    for (int i = 0; i < ::std::numeric_limits<T>::digits; ++i, x = static_cast<T>(x >> 1))
        result = static_cast<T>(result << 1 | (x & 1));
    return result;
}

/// `width` ones from bit `start` on.
template <class T = unsigned>
constexpr T bitmask(int start, int width) noexcept {
    const T ones =
        width == ::std::numeric_limits<T>::digits ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << width) - 1);
    return width == 0 ? T{0} : static_cast<T>(ones << start);
}

template <class T>
constexpr T bitfield_insert(T to, T from, int start, int width) noexcept {
    const T mask = bitmask<T>(start, width);
    return static_cast<T>((to & ~mask) | (static_cast<T>(from << start) & mask));
}
template <class T>
constexpr T bitfield_extract(T from, int start, int width) noexcept {
    return static_cast<T>((from & bitmask<T>(start, width)) >> start);
}

}  // namespace cuda
