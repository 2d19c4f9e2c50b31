#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

/// Milliseconds that the GPU takes for the work, which is done once before that.
template <class Work>
float milliseconds(const Work& work) {
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    work();
    CUDA_CHECK(cudaEventRecord(start));
    work();
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    return ms;
}

/// An array in device memory: a copy of the host's, or of n elements without values yet.
template <class T>
class DeviceArray {
  public:
    explicit DeviceArray(std::size_t n) : n_(n) {
        CUDA_CHECK(cudaMalloc(&data_, n * sizeof(T)));
        CUDA_CHECK(cudaMemset(data_, 0xff, n * sizeof(T)));  // floats become NaN
    }
    explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) {
        CUDA_CHECK(cudaMemcpy(data_, host.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    DeviceArray(const DeviceArray&) = delete;
    ~DeviceArray() { cudaFree(data_); }
    operator T*() const { return data_; }
    std::vector<T> to_host() const {
        std::vector<T> host(n_);
        CUDA_CHECK(cudaMemcpy(host.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }

  private:
    T* data_ = nullptr;
    std::size_t n_;
};

/// Prints how many of the results are not as on the CPU. Returns the program's exit code.
template <class T, class U, class Same = std::equal_to<>>
int compared(const DeviceArray<T>& results, const std::vector<U>& expected, const Same& same = {}) {
    const std::vector<T> got = results.to_host();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) wrong += !same(got[i], expected[i]);
    std::printf(wrong == 0 ? "all as on the CPU\n" : "%zu of %zu not as on the CPU\n", wrong, expected.size());
    return wrong > 0;
}
