#pragma once

#include <memory>
#include <span>

#include "common/check.h"
#include "matrix.h"

namespace matrix_multiply {

/// Owns a matrix in device memory. Every member throws cuda_error.
template <class T>
class DeviceMatrix {
  public:
    DeviceMatrix(std::size_t rows, std::size_t columns, Rows layout)
        : rows_(rows), columns_(columns), pitch_(columns * sizeof(T)) {
        if (rows == 0 || columns == 0) return;
        void* data = nullptr;
        if (layout == Rows::pitched)
            CUDA_CHECK(cudaMallocPitch(&data, &pitch_, columns * sizeof(T), rows));
        else
            CUDA_CHECK(cudaMalloc(&data, rows * pitch_));
        data_.reset(static_cast<T*>(data));
        // A load of four elements may reach between the rows. If a stage used these elements, NaN would show it.
        if (const std::size_t gap = pitch_ - columns * sizeof(T); gap > 0)
            CUDA_CHECK(cudaMemset2D(data_.get() + columns, pitch_, 0xff, gap, rows));
    }

    /// elements: rows * columns of them, in host memory, without gaps between the rows.
    void copy_from(std::span<const T> elements) {
        CUDA_CHECK(cudaMemcpy2D(data_.get(), pitch_, elements.data(), columns_ * sizeof(T), columns_ * sizeof(T), rows_,
                                cudaMemcpyHostToDevice));
    }

    void copy_to(std::span<T> elements) const {
        CUDA_CHECK(cudaMemcpy2D(elements.data(), columns_ * sizeof(T), data_.get(), pitch_, columns_ * sizeof(T), rows_,
                                cudaMemcpyDeviceToHost));
    }

    /// Every byte becomes 0xff, those between the rows too.
    void poison() { CUDA_CHECK(cudaMemset(data_.get(), 0xff, rows_ * pitch_)); }

    Matrix<T> view() { return {data_.get(), rows_, columns_, pitch_ / sizeof(T)}; }
    Matrix<const T> view() const { return {data_.get(), rows_, columns_, pitch_ / sizeof(T)}; }

  private:
    struct Free {
        void operator()(T* data) const { cudaFree(data); }
    };

    std::size_t rows_, columns_, pitch_;  // pitch in bytes
    std::unique_ptr<T, Free> data_;
};

}  // namespace matrix_multiply
