#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

/// An array in device memory: a copy of one of the host, or n values of which every byte is 0xff, a float a NaN.
template <class T>
class OnDevice {
  public:
    explicit OnDevice(std::size_t n, int byte = 0xff) : n_(n) {
        CUDA_CHECK(cudaMalloc(&data_, n * sizeof(T)));
        CUDA_CHECK(cudaMemset(data_, byte, n * sizeof(T)));
    }
    explicit OnDevice(const std::vector<T>& values) : OnDevice(values.size()) {
        CUDA_CHECK(cudaMemcpy(data_, values.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    OnDevice(const OnDevice&) = delete;
    ~OnDevice() { cudaFree(data_); }

    operator T*() const { return data_; }
    std::vector<T> values() const {
        std::vector<T> values(n_);
        CUDA_CHECK(cudaMemcpy(values.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }

  private:
    std::size_t n_;
    T* data_ = nullptr;
};
