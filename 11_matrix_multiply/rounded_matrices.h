#pragma once

#include "device_matrix.h"
#include "rounded.h"

// Where the rounded matrices lie, and what rounds them.
namespace matrix_multiply {

/// Room for two rounded matrices. Every member throws cuda_error.
template <class T>
class RoundedMatrices {
  public:
    /// with_b: b is also kept rounded and not transposed.
    explicit RoundedMatrices(Shape shape, bool with_b = false);

    /// Takes a and b, in device memory: rounds them to the nearest T, and transposes b. The work is queued, not waited
    /// for. Throws usage_error for matrices of another shape.
    void round(Matrix<const float> a, Matrix<const float> b);

    Rounded<T> view() const;

    /// Every byte becomes 0xff.
    void poison();

  private:
    Shape shape_;
    DeviceMatrix<T> a_, b_transposed_, b_;
};  // round.cu

/// Fills `rounded` with a and b, in device memory. See RoundedMatrices::round().
template <class T>
using RoundLaunch = void(Matrix<const float> a, Matrix<const float> b, RoundedMatrices<T>& rounded);

template <class T>
using RoundStage = ::Stage<RoundLaunch<T>, void()>;
template <class T>
inline const std::vector<RoundStage<T>>& round_stages = all_stages<RoundStage<T>>();

/// Bytes that rounding must move: it reads floats and writes Ts.
template <class T>
constexpr double bytes_of_rounding(Shape shape) {
    return (sizeof(float) + sizeof(T)) * static_cast<double>(shape.k) * static_cast<double>(shape.m + shape.n);
}

}  // namespace matrix_multiply
