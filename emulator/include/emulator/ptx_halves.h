#pragma once

#include <cmath>
#include <cstdint>

#include "emulator/atomics.h"
#include "emulator/fp8.h"
#include "emulator/half.h"
#include "emulator/ptx_forms.h"

// The instructions of inline PTX for numbers of 16 bits, one or two in a register: half and bfloat16. Each result is
// rounded once.
namespace emulator::ptx {

/// What becomes of a result: subnormal numbers are zeros (.ftz), it is at least 0 (.relu), or from 0 to 1 (.sat).
enum class HalfResult { plain, ftz, relu, sat, ftz_relu, ftz_sat };

template <class T>
EMULATOR_INLINE double half_number(std::uint64_t bits, unsigned i, bool ftz) {
    const T x{static_cast<u16>(bits >> 16 * i)};
    const double number = x.number();
    return ftz && std::fabs(number) < T::least_normal() ? std::copysign(0.0, number) : number;
}

/// f() of each of the `n` numbers, and of those at the same place in the other registers.
template <class T, unsigned n, HalfResult how = HalfResult::plain, class F, class... Registers>
EMULATOR_INLINE std::uint64_t each_half(F f, Registers... registers) {
    constexpr bool ftz = how == HalfResult::ftz || how == HalfResult::ftz_relu || how == HalfResult::ftz_sat;
    constexpr bool relu = how == HalfResult::relu || how == HalfResult::ftz_relu;
    constexpr bool sat = how == HalfResult::sat || how == HalfResult::ftz_sat;
    std::uint64_t results = 0;
    for (unsigned i = 0; i < n; ++i) {
        double x = f(half_number<T>(registers, i, ftz)...);
        if (relu && x < 0) x = 0;
        if (sat) x = x > 0 ? std::fmin(x, 1.0) : 0.0;
        T result = T::nearest(x);
        if (ftz && std::fabs(result.number()) < T::least_normal()) result.bits &= 0x8000;
        results |= std::uint64_t{result.bits} << 16 * i;
    }
    return results;
}

#define EMULATOR_PTX_HALVES(name, expression)                                                       \
    template <class T, unsigned n, HalfResult how = HalfResult::plain>                              \
    EMULATOR_INLINE std::uint64_t name##_halves(std::uint64_t a, std::uint64_t b) {                 \
        return each_half<T, n, how>([](double x, double y) -> double { return expression; }, a, b); \
    }
EMULATOR_PTX_HALVES(add, x + y)
EMULATOR_PTX_HALVES(sub, x - y)
EMULATOR_PTX_HALVES(mul, x* y)
// Of a NaN and a number it is the number, and -0 is less than 0; with .NaN it is the NaN.
EMULATOR_PTX_HALVES(min, x == y ? (std::signbit(x) ? x : y) : std::fmin(x, y))
EMULATOR_PTX_HALVES(max, x == y ? (std::signbit(x) ? y : x) : std::fmax(x, y))
EMULATOR_PTX_HALVES(min_nan, x != x || y != y ? NAN : x == y ? (std::signbit(x) ? x : y) : std::fmin(x, y))
EMULATOR_PTX_HALVES(max_nan, x != x || y != y ? NAN : x == y ? (std::signbit(x) ? y : x) : std::fmax(x, y))
#undef EMULATOR_PTX_HALVES

template <class T, unsigned n, HalfResult how = HalfResult::plain>
EMULATOR_INLINE std::uint64_t fma_halves(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return each_half<T, n, how>([](double x, double y, double z) { return odd_fma(x, y, z); }, a, b, c);
}
template <class T, unsigned n, HalfResult how = HalfResult::plain>
EMULATOR_INLINE std::uint64_t ex2_halves(std::uint64_t a) {
    return each_half<T, n, how>([](double x) { return std::exp2(x); }, a);
}
template <class T, unsigned n, HalfResult how = HalfResult::plain>
EMULATOR_INLINE std::uint64_t tanh_halves(std::uint64_t a) {
    return each_half<T, n, how>([](double x) { return std::tanh(x); }, a);
}
/// The signs alone are changed.
template <class T, unsigned n, HalfResult how = HalfResult::plain>
EMULATOR_INLINE std::uint64_t neg_halves(std::uint64_t a) {
    return (a ^ 0x80008000u) & (n == 2 ? 0xffffffffu : 0xffffu);
}
template <class T, unsigned n, HalfResult how = HalfResult::plain>
EMULATOR_INLINE std::uint64_t abs_halves(std::uint64_t a) {
    return a & (n == 2 ? 0x7fff7fffu : 0x7fffu);
}

template <class T, bool relu>
EMULATOR_INLINE std::uint64_t cvt_half(std::uint64_t a, Rounding mode) {
    const double x = of<f32>(a);
    return T::rounded(relu && x < 0 ? 0.0 : x, mode).bits;
}
/// The first one is the upper one.
template <class T, bool relu>
EMULATOR_INLINE std::uint64_t cvt_halves(std::uint64_t a, std::uint64_t b, Rounding mode) {
    return cvt_half<T, relu>(a, mode) << 16 | cvt_half<T, relu>(b, mode);
}
template <class T>
EMULATOR_INLINE std::uint64_t cvt_from_half(std::uint64_t a) {
    return bits(T{static_cast<u16>(a)}.number());
}

/// The first one is the upper one.
template <bool e4m3, bool relu>
EMULATOR_INLINE std::uint64_t cvt_to_fp8(double upper, double lower) {
    const auto to = [](double x) -> std::uint64_t { return fp8_from(relu && x < 0 ? 0.0 : x, true, e4m3); };
    return to(upper) << 8 | to(lower);
}
template <bool e4m3, bool relu>
EMULATOR_INLINE std::uint64_t cvt_from_fp8(std::uint64_t a) {
    const auto from = [=](unsigned i) -> std::uint64_t {
        const double x = fp8_to_float(static_cast<unsigned char>(a >> 8 * i), e4m3);
        return f16::nearest(relu && x < 0 ? 0.0 : x).bits;
    };
    return from(1) << 16 | from(0);
}

/// Each of two numbers is added atomically, not both together.
template <class T, unsigned n>
EMULATOR_INLINE std::uint64_t atomic_add_halves(void* address, Meeting meeting, std::uint64_t value) {
    using Word = std::conditional_t<n == 2, u32, u16>;
    Word* const word = static_cast<Word*>(address);
    meet(word, meeting);
    const auto sum = [=](Word old) { return static_cast<Word>(add_halves<T, n>(old, value)); };
    return atomics::seen(atomics::update(word, sum));
}

}  // namespace emulator::ptx
