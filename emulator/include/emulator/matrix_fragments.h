#pragma once

// Which lane of a warp holds which element of a matrix, as the PTX ISA has it for mma ("Matrix Fragments for mma"). All
// of its shapes follow one rule: a register of lane 4 g + t holds neighbours of row g of a tile of 8 rows, and the t-th
// lane has the t-th of them; further registers take the tiles below, then those to the right.
namespace emulator {

struct MatrixIndex {
    unsigned row, column;
};

/// Element `e` of the lane's part of A, which has m rows; `packed`: elements in a register.
constexpr MatrixIndex index_in_a(unsigned lane, unsigned e, unsigned m, unsigned packed) {
    const unsigned tile = e / packed, down = m / 8;
    return {tile % down * 8 + lane / 4, (tile / down * 4 + lane % 4) * packed + e % packed};
}

/// The same of B, which has n columns: it is laid out as A's transpose would be.
constexpr MatrixIndex index_in_b(unsigned lane, unsigned e, unsigned n, unsigned packed) {
    const MatrixIndex transposed = index_in_a(lane, e, n, packed);
    return {transposed.column, transposed.row};
}

/// The same of C and D, which have m rows: pairs of neighbours, whether or not a register holds both.
constexpr MatrixIndex index_in_sum(unsigned lane, unsigned e, unsigned m) {
    return index_in_a(lane, e, m, 2);
}

}  // namespace emulator
