#pragma once

#include <cstdint>

// What the tensor cores do with a warp's registers: the instructions mma and ldmatrix, which mma.h and inline PTX
// share. All 32 lanes of a warp have to come, to the same instruction: otherwise the kernel fails.
namespace emulator {

/// What the elements of a matrix are. Those of b1 are handled 32 at a time.
enum class Element : unsigned char { b1, s4, u4, s8, u8, f16, bf16, tf32, f64, s32, f32 };

/// D = A · B + C, where A is m x k, B is k x n.
struct MatrixProduct {
    /// Of b1: the bits set in both, or those that differ. Of s4 … u8: D is clamped to what it can hold, or wraps
    /// around.
    enum class Mode : unsigned char { plain, bit_and, bit_xor, saturate };

    unsigned m, n, k;
    Element a, b, sum;
    Mode mode = Mode::plain;
};

/// Bits of an element in a register, and of the register.
constexpr unsigned bits_of(Element element) {
    switch (element) {
        case Element::s4:
        case Element::u4:
            return 4;
        case Element::s8:
        case Element::u8:
            return 8;
        case Element::f16:
        case Element::bf16:
            return 16;
        case Element::f64:
            return 64;
        default:
            return 32;
    }
}
constexpr unsigned register_bits(Element element) {
    return element == Element::f64 ? 64 : 32;
}

inline constexpr unsigned most_registers = 8;  // of a lane, for one matrix

/// Each lane brings its registers of A, B and C and gets its registers of D; matrix_fragments.h says what they hold.
/// d may be c.
void multiply_matrices(const MatrixProduct& product, std::uint64_t* d, const std::uint64_t* a, const std::uint64_t* b,
                       const std::uint64_t* c);

/// ldmatrix: lane 8 i + r has brought row r of matrix i, 8 elements of 16 bits, and gets a register of each matrix.
void exchange_rows(unsigned matrices, bool transposed, const std::uint32_t (&row)[4], std::uint64_t (&registers)[4]);

}  // namespace emulator
