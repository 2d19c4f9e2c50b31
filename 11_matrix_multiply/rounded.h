#pragma once

#include <cuda_bf16.h>

#include <cstddef>
#include <type_traits>

#include "matrix.h"
#include "matrix_multiply.h"

// c = a · b for matrices whose elements were rounded to what tensor cores multiply. Products of such numbers are exact;
// their sums are floats. T is
// - float for TF32: a float whose last 13 bits of 23 are 0, so that 10 bits of fraction remain,
// - Bf16 for BF16: the upper 16 bits of a float, with 7 bits of fraction.
namespace matrix_multiply {

using Bf16 = __nv_bfloat16;

template <class T>
inline constexpr unsigned fraction_bits = std::is_same_v<T, float> ? 10 : 7;

/// Values of k in a slice, which has 128 bytes of each row of a and column of b.
template <class T>
inline constexpr unsigned slice_depth = 128 / sizeof(T);

/// Rounded matrices are padded with zeros, so that stages may read whole tiles: along k to a multiple of slice_depth,
/// and to a multiple of rounded_padding rows of a and columns of b.
inline constexpr unsigned rounded_padding = 128;

/// Two rounded matrices in device memory, at addresses that are multiples of 256. Both have their rows along k: row j
/// of b_transposed is column j of b.
template <class T>
struct Rounded {
    Matrix<const T> a, b_transposed;
    Shape shape;          ///< without the padding
    Matrix<const T> b{};  ///< rounded and not transposed, if it was asked for: the library takes it as well
};

/// c = a · b. c is in device memory and may have any stride. If k is 0, all of c becomes 0; m or n may be 0 too. The
/// work is queued, not waited for. Throws cuda_error, and usage_error for a c of another shape, and more blocks than a
/// grid has.
template <class T>
using RoundedLaunch = void(const Rounded<T>& rounded, Matrix<float> c);

/// x rounded to the nearest T, by its definition. Of two that are as near TF32 takes the larger one in magnitude, and
/// BF16 the even one. For finite numbers.
template <class T>
float rounded_on_host(float x);  // t0_cpu.cpp

OnHost rounded_cpu;  // t0_cpu.cpp; a and b are rounded already

template <class T>
using TensorStage = ::Stage<RoundedLaunch<T>, OnHost>;
template <class T>
inline const std::vector<TensorStage<T>>& tensor_stages = all_stages<TensorStage<T>>();

/// Whether wgmma() has code for sm_90a, so that it can run where the GPU has the instruction. Throws cuda_error.
bool wgmma_is_compiled();  // t3_wgmma.cu

/// Throws usage_error unless c has the shape of the product.
template <class T>
void require_product_fits(const Rounded<T>& rounded, const Matrix<float>& c) {
    const auto [m, k, n] = rounded.shape;
    if (c.rows != m || c.columns != n)
        throw usage_error("a product of " + std::to_string(m) + "x" + std::to_string(n) +
                          " does not fit in a matrix of " + std::to_string(c.rows) + "x" + std::to_string(c.columns));
}

}  // namespace matrix_multiply
