#pragma once

// What the programs share: arrays on the device, and the comparison with which main() ends.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

/// Ends the program if a CUDA call failed.
inline void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::printf("%s\n", cudaGetErrorString(error));
    std::exit(1);
}

/// n values in device memory. Kernels get it as a T*; the host reads single values.
template <class T>
class Array {
  public:
    /// Of values that nobody has written.
    explicit Array(std::size_t n) { check(cudaMalloc(&data_, n * sizeof(T))); }

    /// Of the same value n times, or of what a function of the index returns.
    template <class Value>
    Array(std::size_t n, Value value) {
        std::vector<T> values(n);
        for (std::size_t i = 0; i < n; ++i)
            if constexpr (std::is_invocable_v<Value, int>)
                values[i] = static_cast<T>(value(static_cast<int>(i)));
            else
                values[i] = value;
        check(cudaMalloc(&data_, n * sizeof(T)));
        check(cudaMemcpy(data_, values.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }

    ~Array() { cudaFree(data_); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;

    T* data() const { return data_; }
    operator T*() const { return data_; }

    /// Waits for the kernels and copies the value.
    T operator[](std::ptrdiff_t i) const {
        T value{};
        check(cudaMemcpy(&value, data_ + i, sizeof value, cudaMemcpyDeviceToHost));
        return value;
    }

  private:
    T* data_ = nullptr;
};

/// Prints what a program has computed. True, and with that the exit code of main(), if it is not what was expected.
template <class Actual, class Expected>
bool differs(Actual actual, Expected expected) {
    std::printf("%.15g\n", static_cast<double>(actual));
    return actual != static_cast<Actual>(expected);
}
