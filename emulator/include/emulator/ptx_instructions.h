#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include "emulator/address_spaces.h"
#include "emulator/async_copies.h"
#include "emulator/tensor_cores.h"
#include "emulator/warp.h"

// What emulator/rewriter makes of the instructions of inline PTX (passes/ptx_instructions.py): the operands of the asm
// statement are handed to a lambda, whose body has a call for each instruction. Registers of 32 and 64 bits are
// std::uint64_t here.
namespace emulator::ptx {

/// Whether a variable of type T may be an operand with this constraint.
template <char constraint, class T>
constexpr bool fits() {
    constexpr bool whole = std::is_integral_v<T> || std::is_enum_v<T>;
    if (constraint == 'r') return whole && sizeof(T) <= 4;
    if (constraint == 'h') return whole && sizeof(T) <= 2;
    if (constraint == 'l' || constraint == 'n') return whole || (std::is_pointer_v<T> && constraint == 'l');
    return std::is_same_v<T, std::conditional_t<constraint == 'f', float, double>>;
}

/// An operand that is only read, "r"(x).
template <char constraint, class T>
EMULATOR_INLINE std::uint64_t value(T x) {
    static_assert(fits<constraint, T>(), "the type of an operand of inline PTX does not fit its constraint");
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
        const auto wide = static_cast<std::uint64_t>(x);
        return constraint == 'r' ? static_cast<std::uint32_t>(wide) : wide;
    } else {
        return to_bits(x);
    }
}

/// An operand that is written, "=r"(x), or read and written, "+r"(x).
class Variable {
  public:
    /// Of 16, 32 or 64 bits: the other two pointers are null.
    Variable(void* narrow, void* wide, void* half = nullptr) : narrow_(narrow), wide_(wide), half_(half) {}

    EMULATOR_INLINE operator std::uint64_t() const {
        if (wide_ != nullptr) return read<std::uint64_t>(wide_);
        return half_ != nullptr ? read<std::uint16_t>(half_) : read<std::uint32_t>(narrow_);
    }
    EMULATOR_INLINE void operator=(std::uint64_t bits) const {
        if (wide_ != nullptr)
            write(wide_, bits);
        else if (half_ != nullptr)
            write(half_, static_cast<std::uint16_t>(bits));
        else
            write(narrow_, static_cast<std::uint32_t>(bits));
    }

  private:
    template <class T>
    EMULATOR_INLINE static T read(const void* from) {
        T bits;
        std::memcpy(&bits, from, sizeof bits);
        return bits;
    }
    template <class T>
    EMULATOR_INLINE static void write(void* to, T bits) {
        std::memcpy(to, &bits, sizeof bits);
    }

    void *narrow_, *wide_, *half_;
};

template <char constraint, class T>
EMULATOR_INLINE Variable variable(T& x) {
    constexpr std::size_t bytes = constraint == 'l' || constraint == 'd' ? 8 : constraint == 'h' ? 2 : 4;
    static_assert(fits<constraint, T>() && sizeof(T) == bytes,
                  "the type of a variable that inline PTX writes does not fit its constraint");
    return {bytes == 4 ? &x : nullptr, bytes == 8 ? &x : nullptr, bytes == 2 ? &x : nullptr};
}

EMULATOR_INLINE void mma(const MatrixProduct& product, std::initializer_list<Variable> d,
                         std::initializer_list<std::uint64_t> a, std::initializer_list<std::uint64_t> b,
                         std::initializer_list<std::uint64_t> c) {
    std::uint64_t results[most_registers];
    multiply_matrices(product, results, a.begin(), b.begin(), c.begin());
    const std::uint64_t* result = results;
    for (const Variable& each : d) each = *result++;
}

/// Lane l reads row l % 8 of matrix l / 8, if there is one: 16 bytes at a shared address that is a multiple of that.
template <unsigned matrices, bool transposed>
EMULATOR_INLINE void ldmatrix(std::initializer_list<Variable> d, std::uint64_t address) {
    struct alignas(16) Row {
        std::uint32_t words[4];
    };
    Row row{};
    if (lane_index() < 8 * matrices) {
        const void* from = __cvta_shared_to_generic(address);
        if (!atomics::in_shared_memory(from))
            trap("gave ldmatrix an address that is not in shared memory (__cvta_generic_to_shared)");
        if (address % sizeof row != 0) trap("gave ldmatrix an address that is no multiple of 16", address, sizeof row);
        row = *static_cast<const Row*>(from);
    }
    std::uint64_t registers[4];
    exchange_rows(matrices, transposed, row.words, registers);
    const std::uint64_t* result = registers;
    for (const Variable& each : d) each = *result++;
}

/// What the lane `source` has in `value`.
EMULATOR_INLINE std::uint32_t from_lane(std::uint64_t value, unsigned source) {
    return static_cast<std::uint32_t>(warp_operation(WarpOperation::shuffle, whole_warp, value, source));
}
/// Of two rows of elements, each of whose lanes has two, those in one column.
EMULATOR_INLINE std::uint32_t column_of_two_rows(std::uint64_t value, unsigned row, unsigned column) {
    const std::uint32_t low = from_lane(value, 4 * row + column / 2);
    const std::uint32_t high = from_lane(value, 4 * (row + 1) + column / 2);
    const unsigned shift = 16 * (column % 2);
    return (low >> shift & 0xffff) | (high >> shift & 0xffff) << 16;
}
EMULATOR_INLINE std::uint64_t movmatrix(std::uint64_t a) {
    return column_of_two_rows(a, 2 * (lane_index() % 4), lane_index() / 4);
}
/// Lane l stores row l % 8 of matrix l / 8, if there is one: 16 bytes at a shared address that is a multiple of that.
template <unsigned matrices, bool transposed>
EMULATOR_INLINE void stmatrix(std::uint64_t address, std::initializer_list<std::uint64_t> values) {
    struct alignas(16) Row {
        std::uint32_t words[4];
    };
    Row row{};
    const unsigned number = lane_index() % 8;
    unsigned matrix = 0;
    for (const std::uint64_t value : values) {
        for (unsigned i = 0; i < 4; ++i) {
            const std::uint32_t word =
                transposed ? column_of_two_rows(value, 2 * i, number) : from_lane(value, 4 * number + i);
            if (lane_index() / 8 == matrix) row.words[i] = word;
        }
        ++matrix;
    }
    if (lane_index() >= 8 * matrices) return;
    void* const to = __cvta_shared_to_generic(address);
    if (!atomics::in_shared_memory(to))
        trap("gave stmatrix an address that is not in shared memory (__cvta_generic_to_shared)");
    if (address % sizeof row != 0) trap("gave stmatrix an address that is no multiple of 16", address, sizeof row);
    *static_cast<Row*>(to) = row;
}

/// cp.async of `bytes` bytes, of which those from `given` on become 0.
EMULATOR_INLINE void cp_async(std::uint64_t shared, std::uint64_t global, std::uint64_t bytes, std::uint64_t given) {
    copy_async(__cvta_shared_to_generic(shared), __cvta_global_to_generic(global), bytes, bytes - given);
}
EMULATOR_INLINE void cp_async(std::uint64_t shared, std::uint64_t global, std::uint64_t bytes) {
    cp_async(shared, global, bytes, bytes);
}
EMULATOR_INLINE void cp_async_commit_group() {
    check_copies_are_group();
}
EMULATOR_INLINE void cp_async_wait_group(std::uint64_t groups) {
    check_copies_are_awaited(groups);
}
EMULATOR_INLINE void cp_async_wait_all() {
    check_copies_are_group();
    check_copies_are_awaited(0);
}

}  // namespace emulator::ptx
