#pragma once

// What the programs share: arrays on the device, and the comparison with which main() ends.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

/// Ends the program if a CUDA call failed.
inline void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::printf("%s\n", cudaGetErrorString(error));
    std::exit(1);
}

/// Other data than those of the source, where the variable BROKEN_DATA of the environment asks for them: what is found
/// must not depend on the values. "zeros"; "constant", one of the values for all; "random:SEED", the values drawn anew.
/// An index among them stays one that the program can use.
inline const char* other_data() {
    return std::getenv("BROKEN_DATA");
}

template <class T>
void replace_data(std::vector<T>& values) {
    const char* data = other_data();
    if (data == nullptr || values.empty()) return;
    const std::vector<T> given = values;
    std::mt19937 random(std::strncmp(data, "random:", 7) == 0 ? std::atoi(data + 7) : 0);
    for (T& value : values)
        value = std::strcmp(data, "zeros") == 0      ? T{}
                : std::strcmp(data, "constant") == 0 ? given[given.size() / 2]
                                                     : given[random() % given.size()];
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
        if constexpr (std::is_invocable_v<Value, int>) replace_data(values);
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
/// Of other data nothing is expected.
template <class Actual, class Expected>
bool differs(Actual actual, Expected expected) {
    std::printf("%.15g\n", static_cast<double>(actual));
    return other_data() == nullptr && actual != static_cast<Actual>(expected);
}
