#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/check.h"

/// Owns an array of `size()` values of type T in device memory. It can be moved, not copied. Every member throws
/// cuda_error. Copying more values than the buffer holds throws std::length_error and copies nothing.
template <class T>
class DeviceBuffer {
  public:
    DeviceBuffer() = default;

    /// Room for n values; what they hold is undefined, as after cudaMalloc.
    explicit DeviceBuffer(std::size_t n) : size_(n) {
        if (n > 0) CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(T)));
    }

    /// A copy of `values` (host memory) in device memory.
    static DeviceBuffer from_host(std::span<const T> values) {
        DeviceBuffer buffer(values.size());
        buffer.copy_from(values);
        return buffer;
    }

    DeviceBuffer(DeviceBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }

    ~DeviceBuffer() { cudaFree(data_); }  // A destructor cannot report an error; cudaFree(nullptr) does nothing.

    /// Device pointers: the host may pass them on, not follow them.
    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }

    /// Host to device, to the beginning of the buffer.
    void copy_from(std::span<const T> values) {
        require_room(values.size());
        CUDA_CHECK(cudaMemcpy(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
    }

    /// Device to host, from the beginning of the buffer.
    void copy_to(std::span<T> values) const {
        require_room(values.size());
        CUDA_CHECK(cudaMemcpy(values.data(), data_, values.size_bytes(), cudaMemcpyDeviceToHost));
    }

    std::vector<T> to_host() const {
        std::vector<T> values(size_);
        copy_to(values);
        return values;
    }

    /// Every byte becomes 0xff (a float NaN, an int -1), so that a value that a kernel forgets to write is seen. Waits
    /// for it: work in non-blocking streams would not.
    void poison() {
        if (size_ == 0) return;
        CUDA_CHECK(cudaMemset(data_, 0xff, size_ * sizeof(T)));
        CUDA_CHECK(cudaDeviceSynchronize());
    }

  private:
    void require_room(std::size_t n) const {
        if (n > size_)
            throw std::length_error("a copy of " + std::to_string(n) + " values, and the device buffer has " +
                                    std::to_string(size_));
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
};
