#pragma once

#include <type_traits>

// <cuda/cmath> of libcu++.

namespace cuda {

/// The quotient, rounded up; a is not negative and b is positive.
template <class T, class U>
constexpr ::std::common_type_t<T, U> ceil_div(T a, U b) {
    using Quotient = ::std::common_type_t<T, U>;
    const auto x = static_cast<Quotient>(a), y = static_cast<Quotient>(b);
    return static_cast<Quotient>(x / y + (x % y != 0));
}
template <class T, class U>
constexpr ::std::common_type_t<T, U> round_up(T a, U b) {
    return static_cast<::std::common_type_t<T, U>>(ceil_div(a, b) * b);
}
template <class T, class U>
constexpr ::std::common_type_t<T, U> round_down(T a, U b) {
    return static_cast<::std::common_type_t<T, U>>(a / b * b);
}

/// The largest k for which 2^k is not above n; n is positive.
template <class T>
constexpr int ilog2(T n) {
    static_assert(::std::is_integral<T>::value && sizeof(T) <= sizeof(long long), "ilog2() is of whole numbers");
    return 63 - __builtin_clzll(static_cast<unsigned long long>(n));
}

}  // namespace cuda
