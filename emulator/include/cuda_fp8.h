#pragma once

#include "emulator/letters_begin.h"

#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "emulator/fp8.h"

// Numbers of 8 bits: e4m3 has 4 bits of exponent and no infinity, e5m2 has 5 and is the upper half of a __half.
// Conversions round to the nearest, ties to even. What is too large becomes the largest number (__NV_SATFINITE), else a
// NaN or, as e5m2, infinity (__NV_NOSAT). Of e8m0, which has nothing but an exponent, nothing is here.

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned int;

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace emulator {

inline unsigned char fp8_from(double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
    return fp8_from(x, saturate == __NV_SATFINITE, format == __NV_E4M3);
}
inline float fp8_to_float(unsigned char x, __nv_fp8_interpretation_t format) {
    return fp8_to_float(x, format == __NV_E4M3);
}

/// The halves of a pair, the first of which is the lower one.
template <class Convert>
unsigned short fp8_pair(Convert convert) {
    return static_cast<unsigned short>(convert(0) | convert(1) << 8);
}

}  // namespace emulator

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                                                 const __nv_fp8_interpretation_t format) {
    if (x != x) return (std::signbit(x) ? 0x80 : 0) | (format == __NV_E4M3 ? 0x7f : 0x7e);
    return ::emulator::fp8_from(x, saturate, format);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                                                const __nv_fp8_interpretation_t format) {
    return ::emulator::fp8_from(x, saturate, format);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate,
                                                  const __nv_fp8_interpretation_t format) {
    return ::emulator::fp8_from(static_cast<float>(__half(x)), saturate, format);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x, const __nv_saturation_t saturate,
                                                      const __nv_fp8_interpretation_t format) {
    return ::emulator::fp8_from(static_cast<float>(__nv_bfloat16(x)), saturate, format);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t format) {
    if (format == __NV_E5M2 && (x & 0x7f) <= 0x7c) return {static_cast<unsigned short>(x << 8)};
    return __half(::emulator::fp8_to_float(x, format));
}

#define EMULATOR_TO_FP8X2(name, single, Pair)                                                                     \
    inline __nv_fp8x2_storage_t name(const Pair pair, const __nv_saturation_t saturate,                           \
                                     const __nv_fp8_interpretation_t format) {                                    \
        return ::emulator::fp8_pair([&](int i) { return single({i == 0 ? pair.x : pair.y}, saturate, format); }); \
    }
EMULATOR_TO_FP8X2(__nv_cvt_double2_to_fp8x2, __nv_cvt_double_to_fp8, double2)
EMULATOR_TO_FP8X2(__nv_cvt_float2_to_fp8x2, __nv_cvt_float_to_fp8, float2)
EMULATOR_TO_FP8X2(__nv_cvt_halfraw2_to_fp8x2, __nv_cvt_halfraw_to_fp8, __half2_raw)
EMULATOR_TO_FP8X2(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_cvt_bfloat16raw_to_fp8, __nv_bfloat162_raw)
#undef EMULATOR_TO_FP8X2

inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x, const __nv_fp8_interpretation_t format) {
    return {__nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(x & 0xff), format).x,
            __nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(x >> 8), format).x};
}

#define EMULATOR_FP8(name, x2, x4, format)                                                                           \
    struct name {                                                                                                    \
        __nv_fp8_storage_t __x;                                                                                      \
        name() = default;                                                                                            \
        explicit name(const __half x) : __x(__nv_cvt_halfraw_to_fp8(x, __NV_SATFINITE, format)) {}                   \
        explicit name(const __nv_bfloat16 x) : __x(__nv_cvt_bfloat16raw_to_fp8(x, __NV_SATFINITE, format)) {}        \
        explicit name(const double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, format)) {}                    \
        template <class Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>                             \
        explicit name(const Number x) : __x(::emulator::fp8_from(static_cast<double>(x), __NV_SATFINITE, format)) {} \
        explicit operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, format); }                            \
        explicit operator __nv_bfloat16() const { return __nv_bfloat16(static_cast<float>(*this)); }                 \
        explicit operator float() const { return ::emulator::fp8_to_float(__x, format); }                            \
        explicit operator double() const { return static_cast<float>(*this); }                                       \
        explicit operator bool() const { return (__x & 0x7f) != 0; }                                                 \
        template <class Whole, std::enable_if_t<std::is_integral_v<Whole> && !std::is_same_v<Whole, bool>, int> = 0> \
        explicit operator Whole() const {                                                                            \
            return static_cast<Whole>(static_cast<__half>(*this));                                                   \
        }                                                                                                            \
    };                                                                                                               \
    struct alignas(2) x2 {                                                                                           \
        __nv_fp8x2_storage_t __x;                                                                                    \
        x2() = default;                                                                                              \
        explicit x2(const __half2 v) : __x(__nv_cvt_halfraw2_to_fp8x2(v, __NV_SATFINITE, format)) {}                 \
        explicit x2(const __nv_bfloat162 v) : __x(__nv_cvt_bfloat16raw2_to_fp8x2(v, __NV_SATFINITE, format)) {}      \
        explicit x2(const float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, format)) {}                    \
        explicit x2(const double2 v) : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, format)) {}                  \
        explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, format); }                        \
        explicit operator float2() const {                                                                           \
            return {::emulator::fp8_to_float(static_cast<unsigned char>(__x & 0xff), format),                        \
                    ::emulator::fp8_to_float(static_cast<unsigned char>(__x >> 8), format)};                         \
        }                                                                                                            \
    };                                                                                                               \
    struct alignas(4) x4 {                                                                                           \
        __nv_fp8x4_storage_t __x;                                                                                    \
        x4() = default;                                                                                              \
        template <class Pair, std::enable_if_t<std::is_constructible_v<x2, Pair>, int> = 0>                          \
        explicit x4(const Pair low, const Pair high) : __x(x2(low).__x | unsigned{x2(high).__x} << 16) {}            \
        explicit x4(const float4 v) : x4(float2{v.x, v.y}, float2{v.z, v.w}) {}                                      \
        explicit x4(const double4 v) : x4(double2{v.x, v.y}, double2{v.z, v.w}) {}                                   \
        explicit operator float4() const {                                                                           \
            x2 low, high;                                                                                            \
            low.__x = static_cast<__nv_fp8x2_storage_t>(__x & 0xffff);                                               \
            high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);                                                 \
            const float2 a = static_cast<float2>(low), b = static_cast<float2>(high);                                \
            return {a.x, a.y, b.x, b.y};                                                                             \
        }                                                                                                            \
    };
EMULATOR_FP8(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
EMULATOR_FP8(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef EMULATOR_FP8

#include "emulator/letters_end.h"
