#pragma once

#include <cfenv>
#include <cmath>
#include <ctime>
#include <limits>

#include "emulator/types.h"

// CUDA's mathematical functions, beside those that <math.h> brings.
//
// Exact on both sides, bit for bit: +, -, *, /, fma and sqrt with a rounding mode (__fadd_rn and so on), conversions,
// min and max, __saturatef. On a GPU the following are approximations, so their last bits may differ from here:
//   - the functions of <math.h> (sinf, expf, pow, ...): at most a few units in the last place;
//   - __sinf, __cosf, __tanf, __sincosf, __tanhf, __expf, __exp10f, __logf, __log2f, __log10f, __powf, __fdividef: fast
//     and rougher there, as good as the C library's here;
//   - rsqrt, rcbrt, sinpi, cospi, erfinv, norm and their like.

namespace emulator {

// The same value, of which the compiler knows nothing.
template <class T>
T opaque(T x) {
    const volatile T copy = x;
    return copy;
}

/// compute(x...) with a rounding mode of <cfenv>. Operands and result are opaque, since the compiler takes for granted
/// that the mode never changes and would compute earlier or later.
template <class T, class Compute, class... X>
T rounded(int mode, Compute compute, X... x) {
    const int before = std::fegetround();
    std::fesetround(mode);
    const volatile T result = compute(opaque(x)...);
    std::fesetround(before);
    return result;
}

// sin and cos of pi * x: the argument is reduced exactly, before the product with pi.
inline double sine_of_pi_times(double x, int quarters_ahead) {
    if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
    const double y = std::fmod(x, 2.0), quarter = std::nearbyint(2 * y);
    const double rest = (y - quarter / 2) * 3.141592653589793238;
    switch ((static_cast<int>(quarter) + quarters_ahead) & 3) {
        case 0:
            return rest == 0 ? std::copysign(0.0, x) : std::sin(rest);
        case 1:
            return std::cos(rest);
        case 2:
            return rest == 0 ? std::copysign(0.0, x) : -std::sin(rest);
        default:
            return -std::cos(rest);
    }
}

}  // namespace emulator

// -------------------------------------------------------------------------------------------- with a rounding mode

#define EMULATOR_ROUNDED_AS(name, mode, T, parameters, expression, ...)                        \
    inline T name parameters {                                                                 \
        return ::emulator::rounded<T>(                                                         \
            mode, [](auto... v) { return ::emulator::exact::expression(v...); }, __VA_ARGS__); \
    }
#define EMULATOR_ROUNDED(name, T, parameters, expression, ...)                            \
    EMULATOR_ROUNDED_AS(name##_rn, FE_TONEAREST, T, parameters, expression, __VA_ARGS__)  \
    EMULATOR_ROUNDED_AS(name##_rz, FE_TOWARDZERO, T, parameters, expression, __VA_ARGS__) \
    EMULATOR_ROUNDED_AS(name##_ru, FE_UPWARD, T, parameters, expression, __VA_ARGS__)     \
    EMULATOR_ROUNDED_AS(name##_rd, FE_DOWNWARD, T, parameters, expression, __VA_ARGS__)

namespace emulator {
namespace exact {
template <class T>
T sum(T x, T y) {
    return x + y;
}
template <class T>
T difference(T x, T y) {
    return x - y;
}
template <class T>
T product(T x, T y) {
    return x * y;
}
template <class T>
T quotient(T x, T y) {
    return x / y;
}
template <class T>
T inverse(T x) {
    return T(1) / x;
}
template <class T>
T root(T x) {
    return std::sqrt(x);
}
template <class T>
T fused(T x, T y, T z) {
    return std::fma(x, y, z);
}
template <class T>
float as_float(T x) {
    return static_cast<float>(x);
}
template <class T>
double as_double(T x) {
    return static_cast<double>(x);
}
}  // namespace exact
}  // namespace emulator

EMULATOR_ROUNDED(__fadd, float, (float x, float y), sum, x, y)
EMULATOR_ROUNDED(__fsub, float, (float x, float y), difference, x, y)
EMULATOR_ROUNDED(__fmul, float, (float x, float y), product, x, y)
EMULATOR_ROUNDED(__fdiv, float, (float x, float y), quotient, x, y)
EMULATOR_ROUNDED(__frcp, float, (float x), inverse, x)
EMULATOR_ROUNDED(__fsqrt, float, (float x), root, x)
EMULATOR_ROUNDED(__fmaf, float, (float x, float y, float z), fused, x, y, z)
EMULATOR_ROUNDED(__dadd, double, (double x, double y), sum, x, y)
EMULATOR_ROUNDED(__dsub, double, (double x, double y), difference, x, y)
EMULATOR_ROUNDED(__dmul, double, (double x, double y), product, x, y)
EMULATOR_ROUNDED(__ddiv, double, (double x, double y), quotient, x, y)
EMULATOR_ROUNDED(__drcp, double, (double x), inverse, x)
EMULATOR_ROUNDED(__dsqrt, double, (double x), root, x)
EMULATOR_ROUNDED(__fma, double, (double x, double y, double z), fused, x, y, z)

EMULATOR_ROUNDED(__int2float, float, (int x), as_float, x)
EMULATOR_ROUNDED(__uint2float, float, (unsigned int x), as_float, x)
EMULATOR_ROUNDED(__ll2float, float, (long long x), as_float, x)
EMULATOR_ROUNDED(__ull2float, float, (unsigned long long x), as_float, x)
EMULATOR_ROUNDED(__ll2double, double, (long long x), as_double, x)
EMULATOR_ROUNDED(__ull2double, double, (unsigned long long x), as_double, x)
EMULATOR_ROUNDED(__double2float, float, (double x), as_float, x)
EMULATOR_ROUNDED_AS(__int2double_rn, FE_TONEAREST, double, (int x), as_double, x)
EMULATOR_ROUNDED_AS(__uint2double_rn, FE_TONEAREST, double, (unsigned int x), as_double, x)
#undef EMULATOR_ROUNDED
#undef EMULATOR_ROUNDED_AS

inline float __frsqrt_rn(float x) {
    return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
}

// ------------------------------------------------------------------------------------------------- fast approximations

/// Not below 0, not above 1; NaN becomes 0.
inline float __saturatef(float x) {
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
/// x / y. As CUDA documents it, 0 for very large y (or NaN, if x is infinite).
inline float __fdividef(float x, float y) {
    const float size = std::fabs(y), large = 0x1p126f;
    if (size > large && size <= std::numeric_limits<float>::max()) return x * std::copysign(0.0f, y);
    return x / y;
}
inline float fdividef(float x, float y) {
    return x / y;
}
inline double fdivide(double x, double y) {
    return x / y;
}
inline float __sinf(float x) {
    return std::sin(x);
}
inline float __cosf(float x) {
    return std::cos(x);
}
inline float __tanf(float x) {
    return std::tan(x);
}
inline float __tanhf(float x) {
    return std::tanh(x);
}
inline void __sincosf(float x, float* sptr, float* cptr) {
    *sptr = std::sin(x);
    *cptr = std::cos(x);
}
inline float __expf(float x) {
    return std::exp(x);
}
inline float __exp10f(float x) {
    return ::exp10f(x);
}
inline float __logf(float x) {
    return std::log(x);
}
inline float __log2f(float x) {
    return std::log2(x);
}
inline float __log10f(float x) {
    return std::log10(x);
}
/// As on a GPU, NaN for every negative x.
inline float __powf(float x, float y) {
    return static_cast<float>(std::exp2(y * std::log2(static_cast<double>(x))));
}

// --------------------------------------------------------------------------------------- functions that C does not
// have

inline double rsqrt(double x) noexcept {
    return 1.0 / std::sqrt(x);
}
inline double rcbrt(double x) noexcept {
    return static_cast<double>(1 / std::cbrt(static_cast<long double>(x)));
}
inline double sinpi(double x) noexcept {
    return emulator::sine_of_pi_times(x, 0);
}
inline double cospi(double x) noexcept {
    return std::isfinite(x) && std::fabs(std::fmod(x, 1.0)) == 0.5 ? 0.0 : emulator::sine_of_pi_times(x, 1);
}
inline void sincospi(double x, double* sptr, double* cptr) noexcept {
    *sptr = sinpi(x);
    *cptr = cospi(x);
}
inline double normcdf(double x) noexcept {
    // In long double: far from 0, erfc makes much of an error in its argument.
    return static_cast<double>(std::erfc(x * -0.707106781186547524400844362104849L) / 2);
}
inline double norm3d(double a, double b, double c) noexcept {
    return std::hypot(std::hypot(a, b), c);
}
inline double norm4d(double a, double b, double c, double d) noexcept {
    return std::hypot(std::hypot(a, b), std::hypot(c, d));
}
inline double norm(int dim, const double* p) noexcept {
    double result = 0;
    for (int i = 0; i < dim; ++i) result = std::hypot(result, p[i]);
    return result;
}
inline double rhypot(double x, double y) noexcept {
    return 1.0 / std::hypot(x, y);
}
inline double rnorm3d(double a, double b, double c) noexcept {
    return 1.0 / norm3d(a, b, c);
}
inline double rnorm4d(double a, double b, double c, double d) noexcept {
    return 1.0 / norm4d(a, b, c, d);
}
inline double rnorm(int dim, const double* p) noexcept {
    return 1.0 / norm(dim, p);
}
inline double cyl_bessel_i0(double x) noexcept {
    return std::cyl_bessel_i(0.0, std::fabs(x));
}
inline double cyl_bessel_i1(double x) noexcept {
    return std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x);
}

namespace emulator {

/// exp(x * x) * erfc(x), by the continued fraction where erfc alone would vanish.
inline double scaled_erfc(double x) {
    if (x < 4) return std::exp(x * x) * std::erfc(x);
    double tail = x;
    for (int k = 60; k > 0; --k) tail = x + k * 0.5 / tail;
    return 0.56418958354775628695 / tail;
}

/// The x >= 0 with erfc(x) = y, 0 < y <= 1: Newton's steps on log(erfc), which is nearly a parabola.
inline double inverse_erfc_positive(double y) {
    const double target = std::log(y);
    double x = y > 0.5 ? (1 - y) * 0.8862269254527580 : std::sqrt(std::fmax(-target - 0.5 * std::log(1 - target), 0.0));
    for (int i = 0; i < 12; ++i) {
        const double scaled = scaled_erfc(x);
        const double step = (std::log(scaled) - x * x - target) * scaled / 1.1283791670955126;
        x += step;
        if (std::fabs(step) <= 1e-16 * x) break;
    }
    return x;
}

/// The x with erf(x) = y, |y| <= 0.5: Newton's steps on erf.
inline double inverse_erf_small(double y) {
    double x = y * 0.8862269254527580;
    for (int i = 0; i < 12; ++i) {
        const double step = (std::erf(x) - y) * std::exp(x * x) / 1.1283791670955126;
        x -= step;
        if (std::fabs(step) <= 1e-16 * std::fabs(x)) break;
    }
    return x;
}

}  // namespace emulator

inline double erfcx(double x) noexcept {
    return emulator::scaled_erfc(x);
}
inline double erfcinv(double x) noexcept {
    using Limits = std::numeric_limits<double>;
    if (!(x >= 0 && x <= 2)) return Limits::quiet_NaN();
    if (x == 0) return Limits::infinity();
    if (x == 2) return -Limits::infinity();
    if (x > 0.5 && x < 1.5) return emulator::inverse_erf_small(1 - x);
    return x < 1 ? emulator::inverse_erfc_positive(x) : -emulator::inverse_erfc_positive(2 - x);
}
inline double erfinv(double x) noexcept {
    using Limits = std::numeric_limits<double>;
    if (!(std::fabs(x) <= 1)) return Limits::quiet_NaN();
    if (std::fabs(x) == 1) return std::copysign(Limits::infinity(), x);
    if (std::fabs(x) <= 0.5) return emulator::inverse_erf_small(x);
    return std::copysign(emulator::inverse_erfc_positive(1 - std::fabs(x)), x);
}
inline double normcdfinv(double x) noexcept {
    return erfcinv(2 * x) * -1.4142135623730950488;
}

// The same of float, each under its two names.
#define EMULATOR_OF_FLOAT(name)                     \
    inline float name##f(float x) noexcept {        \
        return static_cast<float>(name(double{x})); \
    }                                               \
    inline float name(float x) noexcept {           \
        return name##f(x);                          \
    }
EMULATOR_OF_FLOAT(rsqrt)
EMULATOR_OF_FLOAT(rcbrt)
EMULATOR_OF_FLOAT(sinpi)
EMULATOR_OF_FLOAT(cospi)
EMULATOR_OF_FLOAT(normcdf)
EMULATOR_OF_FLOAT(normcdfinv)
EMULATOR_OF_FLOAT(erfcx)
EMULATOR_OF_FLOAT(erfcinv)
EMULATOR_OF_FLOAT(erfinv)
EMULATOR_OF_FLOAT(cyl_bessel_i0)
EMULATOR_OF_FLOAT(cyl_bessel_i1)
#undef EMULATOR_OF_FLOAT

inline float exp10(float x) noexcept {
    return ::exp10f(x);
}
inline void sincos(float x, float* sptr, float* cptr) noexcept {
    __sincosf(x, sptr, cptr);
}
inline void sincospif(float x, float* sptr, float* cptr) noexcept {
    *sptr = sinpif(x);
    *cptr = cospif(x);
}
inline void sincospi(float x, float* sptr, float* cptr) noexcept {
    sincospif(x, sptr, cptr);
}
inline float norm3df(float a, float b, float c) noexcept {
    return static_cast<float>(norm3d(a, b, c));
}
inline float norm4df(float a, float b, float c, float d) noexcept {
    return static_cast<float>(norm4d(a, b, c, d));
}
inline float normf(int dim, const float* p) noexcept {
    double result = 0;
    for (int i = 0; i < dim; ++i) result = std::hypot(result, static_cast<double>(p[i]));
    return static_cast<float>(result);
}
inline float rhypotf(float x, float y) noexcept {
    return static_cast<float>(rhypot(x, y));
}
inline float rnorm3df(float a, float b, float c) noexcept {
    return static_cast<float>(rnorm3d(a, b, c));
}
inline float rnorm4df(float a, float b, float c, float d) noexcept {
    return static_cast<float>(rnorm4d(a, b, c, d));
}
inline float rnormf(int dim, const float* p) noexcept {
    return 1.0f / normf(dim, p);
}

// -------------------------------------------------------------------------------------------------------- min and max

inline unsigned int umin(unsigned int a, unsigned int b) {
    return b < a ? b : a;
}
inline unsigned int umax(unsigned int a, unsigned int b) {
    return a < b ? b : a;
}
inline long long llmin(long long a, long long b) {
    return b < a ? b : a;
}
inline long long llmax(long long a, long long b) {
    return a < b ? b : a;
}
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return b < a ? b : a;
}
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return a < b ? b : a;
}

// CUDA's mixes: signed with unsigned compares as unsigned, float with double as double. Of a number and a NaN, floats
// give the number.
#define EMULATOR_MIN_MAX(Result, A, B)                                       \
    inline Result min(A a, B b) {                                            \
        const Result x = static_cast<Result>(a), y = static_cast<Result>(b); \
        return y < x ? y : x;                                                \
    }                                                                        \
    inline Result max(A a, B b) {                                            \
        const Result x = static_cast<Result>(a), y = static_cast<Result>(b); \
        return x < y ? y : x;                                                \
    }
#define EMULATOR_MIN_MAX_FLOAT(Result, A, B)                              \
    inline Result min(A a, B b) {                                         \
        return std::fmin(static_cast<Result>(a), static_cast<Result>(b)); \
    }                                                                     \
    inline Result max(A a, B b) {                                         \
        return std::fmax(static_cast<Result>(a), static_cast<Result>(b)); \
    }
#define EMULATOR_MIN_MAX_INTEGER(T, U) \
    EMULATOR_MIN_MAX(T, T, T)          \
    EMULATOR_MIN_MAX(U, U, U)          \
    EMULATOR_MIN_MAX(U, T, U)          \
    EMULATOR_MIN_MAX(U, U, T)
EMULATOR_MIN_MAX_INTEGER(int, unsigned int)
EMULATOR_MIN_MAX_INTEGER(long, unsigned long)
EMULATOR_MIN_MAX_INTEGER(long long, unsigned long long)
EMULATOR_MIN_MAX_FLOAT(float, float, float)
EMULATOR_MIN_MAX_FLOAT(double, double, double)
EMULATOR_MIN_MAX_FLOAT(double, float, double)
EMULATOR_MIN_MAX_FLOAT(double, double, float)
#undef EMULATOR_MIN_MAX
#undef EMULATOR_MIN_MAX_FLOAT
#undef EMULATOR_MIN_MAX_INTEGER
