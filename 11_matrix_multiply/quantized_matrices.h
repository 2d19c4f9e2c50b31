#pragma once

#include "device_matrix.h"
#include "eight.h"

// Where the matrices of eight bits lie, and what makes them.
namespace matrix_multiply {

/// Room for two matrices of eight bits and their scales. Every member throws cuda_error.
template <class F>
class QuantizedMatrices {
  public:
    explicit QuantizedMatrices(Shape shape);

    /// Takes a and b, in device memory: finds their scales, divides by these, rounds to the nearest, and transposes b.
    /// The work is queued, not waited for. Throws usage_error for matrices of another shape.
    void quantize(Matrix<const float> a, Matrix<const float> b);

    Quantized<F> view() const;

    /// Every byte becomes 0xff.
    void poison();

  private:
    Shape shape_;
    DeviceMatrix<typename F::Element> a_, b_transposed_;
    DeviceMatrix<float> a_scales_, b_scales_;
};  // quantize.cu

/// Fills `quantized` with a and b, in device memory. See QuantizedMatrices::quantize().
template <class F>
using QuantizeLaunch = void(Matrix<const float> a, Matrix<const float> b, QuantizedMatrices<F>& quantized);

template <class F>
using QuantizeStage = ::Stage<QuantizeLaunch<F>, void()>;
template <class F>
inline const std::vector<QuantizeStage<F>>& quantize_stages = all_stages<QuantizeStage<F>>();

/// Bytes that this must move: it reads floats and writes bytes.
constexpr double bytes_of_quantizing(Shape shape) {
    return (sizeof(float) + 1) * static_cast<double>(shape.k) * static_cast<double>(shape.m + shape.n);
}

}  // namespace matrix_multiply
