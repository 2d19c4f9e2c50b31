#pragma once

#include <cstdint>

#include "emulator/tensor_cores.h"

// How the tensor cores of compute capability 9.0 add products of floats. Sources: Fasi, Higham, Mikaitis and Pranesh,
// "Numerical behavior of NVIDIA tensor cores", PeerJ Computer Science 2021; Xie, Wang, Yang and Yang, "MMA-Sim:
// Bit-Accurate Reference Model of Tensor Cores and Matrix Cores", arXiv 2511.10909; Khattak and Mikaitis, "Accurate
// Models of NVIDIA Tensor Cores", arXiv 2512.07004.
namespace emulator {

/// What differs between generations: each fused sum has so many products, and c; and its addends have so many bits
/// behind the point of the largest one's power of two. The rest is cut off.
struct TensorCoreModel {
    unsigned products = 16;     // Ampere: 8, and 4 of tf32. Volta and Turing: 4
    int fraction_bits = 25;     // Ampere and Turing: 24. Volta: 23
    int least_exponent = -133;  // counts as the largest one's where all are less: found by comparing with an H200
};
inline constexpr TensorCoreModel hopper;

/// A float, taken apart: significand · 2^(exponent - bits behind the point).
struct TensorFloat {
    enum class Kind : std::uint8_t { finite, infinite, nan };

    std::int32_t significand;  // with its sign; of infinity, only that
    std::int16_t exponent;     // of a subnormal or zero, the least one
    Kind kind;
    bool negative;
};

/// Of f16, bf16, tf32 (whose lowest 13 bits are not looked at) and f32.
TensorFloat unpack(Element element, std::uint32_t bits);

/// The bits of a[0] b[0] + … + a[k - 1] b[k - 1] + c, as an f32, whose excess bits are cut off, or an f16, which is
/// rounded to nearest; never -0. An addend of 0 does not count when the largest one is looked for. The elements of
/// `factors` are those of a and b; c is of the sum's type.
std::uint32_t tensor_dot(Element factors, Element sum, unsigned k, const TensorFloat* a, const TensorFloat* b,
                         std::uint32_t c);

}  // namespace emulator
