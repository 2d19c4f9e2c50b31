#pragma once

#include "emulator/letters_begin.h"

#define CU_COMPLEX_H_

#include <cmath>

#include "cuda_runtime.h"

// Complex numbers as float2 and double2. As on a GPU, a product may overflow where the true one does not; a quotient
// and an absolute value are scaled so that they do not. -fmad and its like decide whether sums of products are fused.
namespace emulator {

template <class C>
C complex_product(C a, C b) {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

template <class C>
C complex_quotient(C a, C b) {
    const auto scale = 1 / (std::fabs(b.x) + std::fabs(b.y));
    a.x *= scale, a.y *= scale, b.x *= scale, b.y *= scale;
    const auto factor = 1 / (b.x * b.x + b.y * b.y);
    return {(a.x * b.x + a.y * b.y) * factor, (a.y * b.x - a.x * b.y) * factor};
}

template <class C>
C complex_product_plus(C a, C b, C c) {
    return {-(a.y * b.y) + (a.x * b.x + c.x), a.y * b.x + (a.x * b.y + c.y)};
}

}  // namespace emulator

#define EMULATOR_COMPLEX(T, C, f)                  \
    inline T cuCreal##f(C z) {                     \
        return z.x;                                \
    }                                              \
    inline T cuCimag##f(C z) {                     \
        return z.y;                                \
    }                                              \
    inline C cuConj##f(C z) {                      \
        return {z.x, -z.y};                        \
    }                                              \
    inline C cuCadd##f(C a, C b) {                 \
        return {a.x + b.x, a.y + b.y};             \
    }                                              \
    inline C cuCsub##f(C a, C b) {                 \
        return {a.x - b.x, a.y - b.y};             \
    }                                              \
    inline C cuCmul##f(C a, C b) {                 \
        return ::emulator::complex_product(a, b);  \
    }                                              \
    inline C cuCdiv##f(C a, C b) {                 \
        return ::emulator::complex_quotient(a, b); \
    }                                              \
    inline T cuCabs##f(C z) {                      \
        return std::hypot(z.x, z.y);               \
    }

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

EMULATOR_COMPLEX(float, cuFloatComplex, f)
EMULATOR_COMPLEX(double, cuDoubleComplex, )
#undef EMULATOR_COMPLEX

inline cuFloatComplex make_cuFloatComplex(float real, float imaginary) {
    return {real, imaginary};
}
inline cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) {
    return {real, imaginary};
}
inline cuComplex make_cuComplex(float real, float imaginary) {
    return {real, imaginary};
}
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
    return {z.x, z.y};
}
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return {static_cast<float>(z.x), static_cast<float>(z.y)};
}

/// a * b + c
inline cuComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c) {
    return ::emulator::complex_product_plus(a, b, c);
}
inline cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
    return ::emulator::complex_product_plus(a, b, c);
}

#include "emulator/letters_end.h"
