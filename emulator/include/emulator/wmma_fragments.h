#pragma once

#include <cstdint>
#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "emulator/matrix_fragments.h"
#include "emulator/tensor_cores.h"

// The matrices of nvcuda::wmma, of which each lane holds a part. CUDA does not say which: here it is as mma has it
// (matrix_fragments.h), the elements of each matrix dealt out evenly.
namespace nvcuda::wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

/// What elements are to the tensor cores, in memory and in a fragment. `in_storage`: how many share a stored one.
template <class T>
struct helper_traits;

#define EMULATOR_WMMA_TYPE(T, name, Storage, elements)                              \
    template <>                                                                     \
    struct helper_traits<T> {                                                       \
        using element_type = T;                                                     \
        using storage_element_type = Storage;                                       \
        using fill_argument_type = Storage;                                         \
        static constexpr ::emulator::Element element = ::emulator::Element::name;   \
        static constexpr unsigned in_storage = elements;                            \
        static constexpr unsigned bits = 8 * sizeof(Storage) / elements;            \
        static constexpr unsigned packed = (sizeof(Storage) == 8 ? 64 : 32) / bits; \
    };
EMULATOR_WMMA_TYPE(__half, f16, __half, 1)
EMULATOR_WMMA_TYPE(__nv_bfloat16, bf16, __nv_bfloat16, 1)
EMULATOR_WMMA_TYPE(precision::tf32, tf32, float, 1)
EMULATOR_WMMA_TYPE(float, f32, float, 1)
EMULATOR_WMMA_TYPE(double, f64, double, 1)
EMULATOR_WMMA_TYPE(signed char, s8, signed char, 1)
EMULATOR_WMMA_TYPE(unsigned char, u8, unsigned char, 1)
EMULATOR_WMMA_TYPE(int, s32, int, 1)
EMULATOR_WMMA_TYPE(experimental::precision::s4, s4, int, 8)
EMULATOR_WMMA_TYPE(experimental::precision::u4, u4, unsigned, 8)
EMULATOR_WMMA_TYPE(experimental::precision::b1, b1, unsigned, 32)
#undef EMULATOR_WMMA_TYPE

}  // namespace nvcuda::wmma

namespace emulator::wmma {

/// Whether CUDA has products of that shape with factors, or sums, of type T.
template <class T, bool sums>
constexpr bool has_shape(int m, int n, int k) {
    const auto is = [&](int rows, int columns, int depth) { return m == rows && n == columns && k == depth; };
    const bool large = is(16, 16, 16) || is(32, 8, 16) || is(8, 32, 16), tf32 = is(16, 16, 8), doubles = is(8, 8, 4);
    const bool nibbles = is(8, 8, 32), bits = is(8, 8, 128);
    if (std::is_same_v<T, double>) return doubles;
    if (sums) {
        if (std::is_same_v<T, float>) return large || tf32;
        if (std::is_same_v<T, int>) return large || nibbles || bits;
        return large && std::is_same_v<T, __half>;
    }
    if (std::is_same_v<T, nvcuda::wmma::precision::tf32>) return tf32;
    if (std::is_same_v<T, nvcuda::wmma::experimental::precision::b1>) return bits;
    if (nvcuda::wmma::helper_traits<T>::bits == 4) return nibbles;
    return large && !std::is_same_v<T, float> && !std::is_same_v<T, int>;
}

}  // namespace emulator::wmma

namespace nvcuda::wmma {

/// A matrix of which each lane of a warp has num_elements elements, in no order to count on: x[i] of one fragment
/// belongs with x[i] of another of the same type.
template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
    using Traits = helper_traits<T>;
    static constexpr bool is_a = std::is_same_v<Use, matrix_a>, is_b = std::is_same_v<Use, matrix_b>;
    static constexpr bool is_sum = std::is_same_v<Use, accumulator>;
    static_assert(is_a || is_b || is_sum, "a fragment is a matrix_a, a matrix_b or an accumulator");
    static_assert(::emulator::wmma::has_shape<T, is_sum>(m, n, k),
                  "CUDA's wmma has no fragments of this shape and type");
    static_assert(is_sum ? std::is_void_v<Layout>
                         : std::is_same_v<Layout, row_major> || std::is_same_v<Layout, col_major>,
                  "a matrix_a or matrix_b is row_major or col_major; an accumulator has no layout");
    static_assert(Traits::in_storage == 1 || std::is_same_v<Layout, std::conditional_t<is_a, row_major, col_major>>,
                  "elements of less than a byte are row_major in a and col_major in b");

  public:
    /// Elements of the matrix that a lane has.
    static constexpr unsigned share = (is_a ? m * k : is_b ? k * n : m * n) / 32;
    /// As on a GPU: of half factors, some are there several times.
    enum { num_elements = !is_sum && std::is_same_v<T, __half> ? 16 : share };
    enum { num_storage_elements = num_elements / Traits::in_storage };
    using element_type = T;
    using storage_element_type = typename Traits::storage_element_type;

    alignas(8) storage_element_type x[num_storage_elements];

    static constexpr unsigned packed = is_sum ? 2 : Traits::packed;  ///< neighbours that a lane has
    static constexpr ::emulator::MatrixIndex index(unsigned lane, unsigned e) {
        return is_a   ? ::emulator::index_in_a(lane, e, m, packed)
               : is_b ? ::emulator::index_in_b(lane, e, n, packed)
                      : ::emulator::index_in_sum(lane, e, m);
    }
    /// Whether a lane's neighbours are neighbours in memory, too.
    static constexpr bool along_rows = !is_b;
};

}  // namespace nvcuda::wmma
