#pragma once

#include <cstdint>
#include <initializer_list>

#include "emulator/address_spaces.h"
#include "emulator/matrix_fragments.h"
#include "emulator/ptx_instructions.h"
#include "emulator/shared.h"
#include "emulator/tensor_cores.h"

// wgmma, a product of a warpgroup: 64 x n sums, of A in registers or shared memory and B in shared memory. Here each of
// the four warps makes its 16 rows when it comes, and the warps meet at wgmma.wait_group: behind it the factors may be
// replaced, whichever of them says so.
// Source of the layouts: PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions".
namespace emulator::ptx {

inline constexpr unsigned warps_of_warpgroup = 4, rows_of_warp = 16;

/// A factor in shared memory. Its rows are those of A, or the columns of B; its columns go along k.
class SharedFactor {
  public:
    /// `transposed`: neighbours in memory are in one column, not in one row.
    EMULATOR_INLINE SharedFactor(std::uint64_t descriptor, Element element, bool transposed)
        : start_(start_of(descriptor)),
          leading_((descriptor >> 16 & 0x3fff) * 16),
          stride_((descriptor >> 32 & 0x3fff) * 16),
          bytes_(bits_of(element) / 8),
          transposed_(transposed) {
        constexpr unsigned widths[4] = {16, 128, 64, 32};
        width_ = widths[descriptor >> 62];
        if ((descriptor >> 49 & 7) != 0)
            trap("gave wgmma a descriptor with a base offset, which the emulator does not have");
    }

    /// The elements of a register: of one row, from that column on.
    EMULATOR_INLINE std::uint32_t at(unsigned row, unsigned column) const {
        if (!transposed_) return load<std::uint32_t>(row, column);
        return bytes_ == 4 ? load<std::uint32_t>(row, column)
                           : load<std::uint16_t>(row, column) | load<std::uint16_t>(row, column + 1) << 16;
    }

  private:
    // A descriptor has room for 18 bits of an address, and dynamic shared memory can lie higher here.
    EMULATOR_UNCHECKED static std::uint64_t start_of(std::uint64_t descriptor) {
        constexpr std::uint64_t beyond = 1u << 18;
        const std::uint64_t given = (descriptor & 0xffff) * 16, higher = given | beyond;
        return higher - dynamic_shared_begin < this_block->dynamic_shared ? higher : given;
    }

    template <class T>
    EMULATOR_INLINE std::uint32_t load(unsigned row, unsigned column) const {
        const void* from =
            __cvta_shared_to_generic(swizzled(start_ + (transposed_ ? down(row, column) : along(row, column))));
        if (!atomics::in_shared_memory(from))
            trap("gave wgmma a descriptor of a matrix that is not in shared memory (__cvta_generic_to_shared)");
        const T element = *static_cast<const T*>(from);
        check_matrix_read(from, sizeof element);
        return element;
    }

    // Eight rows of 16 bytes lie together, or 8 rows of the swizzled width.
    EMULATOR_INLINE std::uint64_t along(unsigned row, unsigned column) const {
        const std::uint64_t in_row = std::uint64_t{column} * bytes_;
        const std::uint64_t at = width_ == 16 ? in_row / 16 * leading_ + in_row % 16 : in_row;
        return row / 8 * stride_ + row % 8 * std::uint64_t{width_} + at;
    }
    // The same with rows and columns exchanged; between pieces of a column are the strides, which change their roles.
    EMULATOR_INLINE std::uint64_t down(unsigned row, unsigned column) const {
        const std::uint64_t in_column = std::uint64_t{row} * bytes_;
        const std::uint64_t pieces = in_column / width_ * (width_ == 16 ? stride_ : leading_);
        return pieces + in_column % width_ + column % 8 * std::uint64_t{width_} +
               column / 8 * (width_ == 16 ? leading_ : stride_);
    }
    // Of an address, the bits that choose 16 bytes in a row are changed by those that choose the row.
    EMULATOR_INLINE std::uint64_t swizzled(std::uint64_t address) const {
        return address ^ (address >> 7 & (width_ / 16 - 1)) << 4;
    }

    std::uint64_t start_, leading_, stride_;
    unsigned bytes_, width_ = 16;
    bool transposed_;
};

EMULATOR_INLINE unsigned warp_in_warpgroup() {
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned warp = thread / 32 % warps_of_warpgroup;
    if ((thread / 32 - warp + warps_of_warpgroup) * 32 > blockDim.x * blockDim.y * blockDim.z)
        trap("used wgmma in a warpgroup that is not whole: it needs 128 threads, from a multiple of 128 on");
    return warp;
}

/// `product`: of 16 rows, those of a warp. `a`: the lane's four registers. A scale of -1 turns the signs of a factor.
EMULATOR_INLINE void wgmma(const MatrixProduct& product, std::initializer_list<Variable> d,
                           std::initializer_list<std::uint64_t> a, std::uint64_t b, std::uint64_t scale_d,
                           std::uint64_t scale_a, std::uint64_t scale_b, std::uint64_t transposed_b) {
    constexpr unsigned most_sums = 128, most_in_b = 64, most_in_a = 4;
    std::uint64_t sums[most_sums], of_a[most_in_a], of_b[most_in_b];
    const unsigned packed = 32 / bits_of(product.b);
    const std::uint32_t sign = packed == 2 ? 0x8000'8000 : 0x8000'0000;
    const auto negated = [&](std::uint64_t scale) { return static_cast<std::uint32_t>(scale) == ~0u ? sign : 0; };
    warp_in_warpgroup();
    unsigned i = 0;
    for (const std::uint64_t each : a) of_a[i++] = each ^ negated(scale_a);
    const SharedFactor factor(b, product.b, transposed_b != 0);
    for (i = 0; i < product.n * product.k / packed / 32; ++i) {
        const auto [row, column] = index_in_b(lane_index(), i * packed, product.n, packed);
        of_b[i] = factor.at(column, row) ^ negated(scale_b);
    }
    i = 0;
    for (const Variable& each : d) sums[i++] = scale_d != 0 ? std::uint64_t{each} : 0;
    multiply_matrices(product, sums, of_a, of_b, sums);
    i = 0;
    for (const Variable& each : d) each = sums[i++];
}

/// `a`: the descriptor of all 64 rows.
EMULATOR_INLINE void wgmma(const MatrixProduct& product, std::initializer_list<Variable> d, std::uint64_t a,
                           std::uint64_t b, std::uint64_t scale_d, std::uint64_t scale_a, std::uint64_t scale_b,
                           std::uint64_t transposed_a, std::uint64_t transposed_b) {
    const unsigned packed = 32 / bits_of(product.a), first = warp_in_warpgroup() * rows_of_warp;
    const SharedFactor factor(a, product.a, transposed_a != 0);
    const auto at = [&](unsigned i) -> std::uint64_t {
        const auto [row, column] = index_in_a(lane_index(), i * packed, rows_of_warp, packed);
        return factor.at(first + row, column);
    };
    wgmma(product, d, {at(0), at(1), at(2), at(3)}, b, scale_d, scale_a, scale_b, transposed_b);
}

EMULATOR_INLINE void wgmma_commit() {
    check_matrices_are_group();
}
EMULATOR_INLINE void wgmma_wait(std::uint64_t all_but) {
    warp_in_warpgroup();
    check_matrices_are_awaited(all_but);
    sync_tile(warps_of_warpgroup * 32);
}

}  // namespace emulator::ptx
