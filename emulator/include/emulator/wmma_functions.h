#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "emulator/intrinsics.h"
#include "emulator/warp.h"
#include "emulator/wmma_fragments.h"

// What a warp does with fragments, all of its lanes together.
namespace emulator::wmma {

using nvcuda::wmma::helper_traits;

/// Calls f(place in memory, first of x, how many) for the elements of a lane that lie together in memory.
template <class Fragment, class F>
EMULATOR_INLINE void for_each_piece(unsigned ldm, bool by_rows, const F& f) {
    constexpr unsigned storage = helper_traits<typename Fragment::element_type>::in_storage;
    const unsigned lane = lane_index();
    const unsigned pieces = by_rows == Fragment::along_rows ? Fragment::share / Fragment::packed : Fragment::share;
    for (unsigned p = 0; p < pieces; ++p) {
        const unsigned e = p * (Fragment::share / pieces);
        const auto [row, column] = Fragment::index(lane, e);
        f((by_rows ? std::size_t{row} * ldm + column : std::size_t{column} * ldm + row) / storage, e / storage,
          Fragment::share / pieces / storage);
    }
}

/// CUDA wants rows, or columns, 16 bytes or a multiple of that apart; PTX a multiple of what a lane has of the matrix,
/// which may be less. (The first one has to be at a multiple of 32 bytes: programs do with 16.)
#ifdef EMULATOR_CHECKED
template <class Fragment>
EMULATOR_INLINE void require_alignment(const void* matrix, unsigned ldm, const char* of_matrix, const char* of_rows) {
    constexpr unsigned bytes = sizeof(Fragment::x);
    constexpr unsigned multiple = bytes < 16 ? bytes : 16;
    require_multiple(matrix, multiple, of_matrix);
    constexpr unsigned bits = helper_traits<typename Fragment::element_type>::bits;
    if (std::uint64_t{ldm} * bits % (8 * multiple) != 0) trap(of_rows);
}
#else
template <class Fragment>
EMULATOR_INLINE void require_alignment(const void*, unsigned, const char*, const char*) {}
#endif

template <class Fragment, class T>
EMULATOR_INLINE void load(Fragment& fragment, const T* from, unsigned ldm, bool by_rows) {
    constexpr unsigned together = Fragment::packed / helper_traits<typename Fragment::element_type>::in_storage;
    require_alignment<Fragment>(from, ldm, "gave load_matrix_sync() a matrix that begins at no multiple of 16 bytes",
                                "gave load_matrix_sync() rows (or columns) ldm elements apart, which is no multiple "
                                "of 16 bytes: 8 halves, or 4 floats");
    warp_operation(WarpOperation::load_matrix, whole_warp);
    for_each_piece<Fragment>(ldm, by_rows, [&](std::size_t at, unsigned first, unsigned n) {
        if (together > 1 && n == together)
            std::memcpy(&fragment.x[first], from + at, together * sizeof(T));
        else
            fragment.x[first] = from[at];
    });
    for (unsigned i = Fragment::share; i < static_cast<unsigned>(Fragment::num_elements); ++i)
        fragment.x[i] = fragment.x[i % Fragment::share];
}

/// A lane's part of a matrix as registers.
struct Registers {
    std::uint64_t bits[most_registers];
};
template <class Fragment>
EMULATOR_INLINE Registers registers_of(const Fragment& fragment) {
    using Storage = typename Fragment::storage_element_type;
    constexpr std::size_t width = sizeof(Storage) == 8 ? 8 : 4;
    constexpr std::size_t bytes =
        Fragment::share * sizeof(Storage) / helper_traits<typename Fragment::element_type>::in_storage;
    Registers registers{};
    for (std::size_t r = 0; r < bytes / width; ++r)
        std::memcpy(&registers.bits[r], reinterpret_cast<const char*>(fragment.x) + r * width, width);
    return registers;
}

template <class Sums, class A, class B>
EMULATOR_INLINE void multiply(Sums& d, const A& a, const B& b, const Sums& c, int m, int n, int k,
                              MatrixProduct::Mode mode) {
    using Sum = typename Sums::element_type;
    const MatrixProduct product{static_cast<unsigned>(m),
                                static_cast<unsigned>(n),
                                static_cast<unsigned>(k),
                                helper_traits<typename A::element_type>::element,
                                helper_traits<typename B::element_type>::element,
                                helper_traits<Sum>::element,
                                mode};
    const Registers of_a = registers_of(a), of_b = registers_of(b);
    Registers sums = registers_of(c);
    multiply_matrices(product, sums.bits, of_a.bits, of_b.bits, sums.bits);
    constexpr std::size_t width = sizeof(Sum) == 8 ? 8 : 4;
    for (std::size_t r = 0; r < sizeof d.x / width; ++r)
        std::memcpy(reinterpret_cast<char*>(d.x) + r * width, &sums.bits[r], width);
}

}  // namespace emulator::wmma

namespace nvcuda::wmma {

/// Reads a matrix of which each row, or column, is ldm elements behind the one before.
template <class Use, int m, int n, int k, class T, class Layout>
EMULATOR_INLINE std::enable_if_t<!std::is_same_v<Use, accumulator> && helper_traits<T>::in_storage == 1>
load_matrix_sync(fragment<Use, m, n, k, T, Layout>& fragment,
                 const typename helper_traits<T>::storage_element_type* from, unsigned ldm) {
    ::emulator::wmma::load(fragment, from, ldm, std::is_same_v<Layout, row_major>);
}
template <class Use, int m, int n, int k, class T, class Layout>
EMULATOR_INLINE std::enable_if_t<helper_traits<T>::in_storage != 1> load_matrix_sync(
    fragment<Use, m, n, k, T, Layout>& fragment, const void* from, unsigned ldm) {
    ::emulator::wmma::load(fragment, static_cast<const typename helper_traits<T>::storage_element_type*>(from), ldm,
                           std::is_same_v<Layout, row_major>);
}
template <int m, int n, int k, class T>
EMULATOR_INLINE void load_matrix_sync(fragment<accumulator, m, n, k, T>& fragment, const T* from, unsigned ldm,
                                      layout_t layout) {
    ::emulator::wmma::load(fragment, from, ldm, layout == mem_row_major);
}

template <int m, int n, int k, class T>
EMULATOR_INLINE void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& sums, unsigned ldm,
                                       layout_t layout) {
    using Sums = fragment<accumulator, m, n, k, T>;
    ::emulator::wmma::require_alignment<Sums>(
        to, ldm, "gave store_matrix_sync() a matrix that begins at no multiple of 16 bytes",
        "gave store_matrix_sync() rows (or columns) ldm elements apart, which is no multiple of 16 bytes: 8 halves, "
        "or 4 floats");
    ::emulator::warp_operation(::emulator::WarpOperation::store_matrix, ::emulator::whole_warp);
    ::emulator::wmma::for_each_piece<Sums>(ldm, layout == mem_row_major,
                                           [&](std::size_t at, unsigned first, unsigned together) {
                                               if (together == 2)
                                                   std::memcpy(to + at, &sums.x[first], 2 * sizeof(T));
                                               else
                                                   to[at] = sums.x[first];
                                           });
}

/// Of elements of less than a byte, the lowest bits count.
template <class Use, int m, int n, int k, class T, class Layout>
EMULATOR_INLINE void fill_fragment(fragment<Use, m, n, k, T, Layout>& fragment,
                                   const typename helper_traits<T>::fill_argument_type& value) {
    auto stored = value;
    if constexpr (helper_traits<T>::in_storage > 1) {
        const unsigned element = static_cast<unsigned>(value) & ((1u << helper_traits<T>::bits) - 1);
        stored = static_cast<decltype(stored)>(~0u / ((1u << helper_traits<T>::bits) - 1) * element);
    }
    for (auto& x : fragment.x) x = stored;
}

/// d = a · b + c
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class Sum>
EMULATOR_INLINE std::enable_if_t<!std::is_same_v<Sum, int>> mma_sync(fragment<accumulator, m, n, k, Sum>& d,
                                                                     const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                                                                     const fragment<matrix_b, m, n, k, T, LayoutB>& b,
                                                                     const fragment<accumulator, m, n, k, Sum>& c) {
    ::emulator::wmma::multiply(d, a, b, c, m, n, k, ::emulator::MatrixProduct::Mode::plain);
}
template <int m, int n, int k, class T, class LayoutA, class LayoutB>
EMULATOR_INLINE void mma_sync(fragment<accumulator, m, n, k, int>& d, const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                              const fragment<matrix_b, m, n, k, T, LayoutB>& b,
                              const fragment<accumulator, m, n, k, int>& c, bool saturate = false) {
    using Mode = ::emulator::MatrixProduct::Mode;
    ::emulator::wmma::multiply(d, a, b, c, m, n, k, saturate ? Mode::saturate : Mode::plain);
}

/// d = c + for each element, how many bits of a's row and b's column differ, or are set in both.
EMULATOR_INLINE void bmma_sync(fragment<accumulator, 8, 8, 128, int>& d,
                               const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
                               const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b,
                               const fragment<accumulator, 8, 8, 128, int>& c,
                               experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
                               experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
    using Mode = ::emulator::MatrixProduct::Mode;
    ::emulator::wmma::multiply(d, a, b, c, 8, 8, 128,
                               operation == experimental::bmmaBitOpAND ? Mode::bit_and : Mode::bit_xor);
}

/// Rounds to 10 bits behind the point, to nearest, ties away from zero.
EMULATOR_INLINE float __float_to_tf32(float x) {
    const unsigned rounded = (static_cast<unsigned>(__float_as_int(x)) + 0x1000u) & ~0x1fffu;
    return __int_as_float(x != x ? 0x7fffffff : static_cast<int>(rounded));
}

}  // namespace nvcuda::wmma
