#pragma once

#include <cuda_fp8.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "matrix.h"
#include "matrix_multiply.h"

// c = a · b for matrices of eight-bit numbers. A float x becomes a number q of eight bits and a scale s that many
// share, x ≈ s · q. The scale is the largest magnitude that it serves over the largest number of the format, so that
// the largest x uses all of the range.
namespace matrix_multiply {

/// Whole numbers from -127 to 127. Their sums are whole numbers too, and exact. One scale for each row of a and each
/// column of b.
struct Int8 {
    using Element = std::int8_t;
    using Sum = int;
    static constexpr const char* name = "INT8";
    static constexpr float largest = 127;
    static constexpr bool by_blocks = false;
};

/// Floats with 4 bits of exponent and 3 of fraction.
struct E4m3 {
    using Element = __nv_fp8_e4m3;
    using Sum = float;
    static constexpr const char* name = "E4M3";
    static constexpr float largest = 448;
    static constexpr int fraction_bits = 3, smallest_exponent = -6;  // of a normal number
    static constexpr bool by_blocks = false;
};

/// Floats with 5 bits of exponent and 2 of fraction.
struct E5m2 {
    using Element = __nv_fp8_e5m2;
    using Sum = float;
    static constexpr const char* name = "E5M2";
    static constexpr float largest = 57344;
    static constexpr int fraction_bits = 2, smallest_exponent = -14;
    static constexpr bool by_blocks = false;
};

/// E4M3 with a scale for every 128 numbers along k.
struct E4m3Blocks : E4m3 {
    static constexpr const char* name = "E4M3 in blocks";
    static constexpr bool by_blocks = true;
};

/// Along k, a slice has as many numbers as a block with a scale of its own.
inline constexpr unsigned block_depth = 128;

/// Matrices of eight bits are padded with zeros, so that stages may read whole tiles: along k to a multiple of
/// block_depth, and to a multiple of eight_padding rows of a and columns of b.
inline constexpr unsigned eight_padding = 128;

__host__ __device__ constexpr std::size_t blocks_for(std::size_t k) {
    return (k + block_depth - 1) / block_depth;
}

/// How many scales a row of a has.
template <class F>
constexpr std::size_t scales_for(std::size_t k) {
    return F::by_blocks ? blocks_for(k) : 1;
}

/// Two matrices of eight bits in device memory, at addresses that are multiples of 256. Both have their rows along k:
/// row j of b_transposed is column j of b.
template <class F>
struct Quantized {
    Matrix<const typename F::Element> a, b_transposed;
    /// Element (l, i) is the scale of row i of a, and element (l, j) that of column j of b, in block l along k.
    Matrix<const float> a_scales, b_scales;
    Shape shape;  ///< without the padding
};

/// c[i][j] = Σ a[i][l]·b[l][j] for Int8, and this times both scales for floats; if there is a scale for each block, its
/// sums times their scales are added up. c is in device memory and may have any stride. If k is 0, all of c becomes 0;
/// m or n may be 0 too. The work is queued, not waited for. Throws cuda_error, and usage_error for a c of another
/// shape, and more blocks than a grid has.
template <class F>
using EightLaunch = void(const Quantized<F>& in, Matrix<typename F::Sum> c);

/// The same two matrices on the host, each number of eight bits as a float.
template <class F>
struct QuantizedOnHost {
    std::vector<float> a, b;                ///< a[i * k + l], b[l * n + j]
    std::vector<float> a_scales, b_scales;  ///< a_scales[block * m + i], b_scales[block * n + j]
    Shape shape;
};

/// Calls work(begin, end) for parts of 0, …, n - 1, each on a thread of the host.
void in_threads(std::size_t n, const std::function<void(std::size_t begin, std::size_t end)>& work);  // q0_cpu.cpp

/// a and b in eight bits, by the definition. For finite numbers, of which the largest that share a scale are 0 or at
/// least 2^-100.
template <class F>
QuantizedOnHost<F> quantized_on_host(std::span<const float> a, std::span<const float> b, Shape shape);  // q0_cpu.cpp

/// The product on the host, in double, c[i * n + j]. Sums of Int8 and of E4M3 are exact there.
template <class F>
using EightOnHost = void(const QuantizedOnHost<F>& in, std::span<double> c);

/// Whether wgmma has code for these numbers, so that it can run where the GPU has the instruction. Throw cuda_error.
template <class F>
bool wgmma_is_compiled_for();     // q3_wgmma.cu
bool block_scales_is_compiled();  // q4_block_scales.cu

template <class F>
using EightStage = ::Stage<EightLaunch<F>, EightOnHost<F>>;
template <class F>
inline const std::vector<EightStage<F>>& eight_stages = all_stages<EightStage<F>>();

/// Throws usage_error unless c has the shape of the product, and its sums fit into ints.
template <class F>
void require_product_fits(const Quantized<F>& in, const Matrix<typename F::Sum>& c) {
    const auto [m, k, n] = in.shape;
    if (c.rows != m || c.columns != n)
        throw usage_error("a product of " + std::to_string(m) + "x" + std::to_string(n) +
                          " does not fit in a matrix of " + std::to_string(c.rows) + "x" + std::to_string(c.columns));
    constexpr std::size_t longest = 0x7fff'ffff / (127 * 127);
    if (std::is_same_v<F, Int8> && k > longest)
        throw usage_error("sums of " + std::to_string(k) + " products of bytes may not fit into an int; " +
                          std::to_string(longest) + " do");
}

}  // namespace matrix_multiply
