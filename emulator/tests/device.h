#pragma once

// Calls of the runtime that must succeed, and arrays in device memory. It needs no test library: the programs that
// tests run include it, too.

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Throws std::runtime_error with the call's text, its place and the error's name, and takes the error away.
inline void require_success(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    cudaGetLastError();
    throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " +
                             cudaGetErrorName(status));
}

#define CUDA_CHECK(call) require_success((call), #call, __FILE__, __LINE__)
#define CUDA_CHECK_LAUNCH() require_success(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)

/// Owns n values in device memory.
template <class T>
class DeviceBuffer {
  public:
    explicit DeviceBuffer(std::size_t n) : size_(n) { CUDA_CHECK(cudaMalloc(&data_, n * sizeof(T))); }
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
    ~DeviceBuffer() { cudaFree(data_); }

    T* data() const { return data_; }  ///< in device memory
    std::size_t size() const { return size_; }
    void copy_from(std::span<const T> values) {
        if (values.size() > size_) throw std::length_error("more values than the device buffer holds");
        CUDA_CHECK(cudaMemcpy(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
    }
    std::vector<T> to_host() const {
        std::vector<T> values(size_);
        CUDA_CHECK(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
    /// Each byte becomes 0xff (a float NaN, an int -1), so that a value that a kernel forgets to write is seen. Waits:
    /// a non-blocking stream would not.
    void poison() {
        CUDA_CHECK(cudaMemset(data_, 0xff, size_ * sizeof(T)));
        CUDA_CHECK(cudaStreamSynchronize(nullptr));
    }

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

template <class T>
DeviceBuffer<T> poisoned(std::size_t n) {
    DeviceBuffer<T> buffer(n);
    buffer.poison();
    return buffer;
}
