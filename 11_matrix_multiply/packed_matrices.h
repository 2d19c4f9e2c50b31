#pragma once

#include <optional>

#include "binary.h"
#include "common/device_buffer.h"
#include "device_matrix.h"

// Where the packed matrices lie, and what packs them.
namespace matrix_multiply {

/// The variants of pack.cu: who makes a word of a, and whether of the matrices themselves.
enum class PackMethod { vote, thread_per_word, padded_copy };

/// Room for two packed matrices. Every member throws cuda_error.
class PackedMatrices {
  public:
    explicit PackedMatrices(Shape shape);

    /// Takes the signs of a and b, in device memory: a number's bit is 1 unless it is less than 0. The work is queued,
    /// not waited for. Throws usage_error for matrices of another shape.
    void pack(Matrix<const float> a, Matrix<const float> b, PackMethod method = PackMethod::vote);

    Packed view() const;

    /// Every byte becomes 0xff.
    void poison();

  private:
    Shape shape_;
    DeviceMatrix<Word> a_, b_;
    DeviceBuffer<int> ones_in_a_, ones_in_b_;
    // Of padded_copy.
    std::optional<DeviceMatrix<float>> room_for_a_, room_for_b_;
};  // pack.cu

/// Fills `packed` with the signs of a and b, in device memory. See PackedMatrices::pack().
using PackLaunch = void(Matrix<const float> a, Matrix<const float> b, PackedMatrices& packed);

using PackStage = ::Stage<PackLaunch, void()>;
inline const std::vector<PackStage>& pack_stages = all_stages<PackStage>();

/// Bytes that packing must move: it reads floats and writes their bits.
constexpr double bytes_of_packing(Shape shape) {
    return (sizeof(float) + 1.0 / 8) * static_cast<double>(shape.k) * static_cast<double>(shape.m + shape.n);
}

}  // namespace matrix_multiply
