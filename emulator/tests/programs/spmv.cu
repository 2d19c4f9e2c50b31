// Sparse matrix times vector in CSR form, as a class that owns device memory, for float and double.
#include <cmath>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

template <typename T>
void check(T result, char const *const func, const char *const file, int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, static_cast<unsigned int>(result),
            cudaGetErrorName(result), func);
    exit(EXIT_FAILURE);
  }
}

template <typename T>
class DeviceVector {
 public:
  explicit DeviceVector(const std::vector<T> &host) : size_(host.size()) {
    checkCudaErrors(cudaMalloc(&data_, size_ * sizeof(T)));
    checkCudaErrors(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceVector() { cudaFree(data_); }
  DeviceVector(const DeviceVector &) = delete;
  T *get() { return data_; }
  std::vector<T> download() const {
    std::vector<T> host(size_);
    checkCudaErrors(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  size_t size_;
  T *data_ = nullptr;
};

namespace kernels {
template <typename T, int THREADS = 64>
__global__ void __launch_bounds__(THREADS) spmv_csr(const int num_rows, const int *ptr, const int *indices,
                                                    const T *data, const T *x, T *y) {
  const int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < num_rows) {
    T dot = 0;
    const int row_start = ptr[row], row_end = ptr[row + 1];
    for (int jj = row_start; jj < row_end; jj++) dot += data[jj] * x[indices[jj]];
    y[row] += dot;
  }
}
}  // namespace kernels

template <typename T>
bool test() {
  const int n = 777;
  std::vector<int> ptr(1, 0), indices;
  std::vector<T> data, x(n), y(n, T(1)), want(n, T(1));
  for (int r = 0; r < n; ++r) {
    x[r] = T(r % 17) - 8;
    for (int k = 0; k < r % 5; ++k) {
      indices.push_back((r * 31 + k * 7) % n);
      data.push_back(T(k + 1) / 4);
    }
    ptr.push_back(static_cast<int>(indices.size()));
  }
  for (int r = 0; r < n; ++r)
    for (int j = ptr[r]; j < ptr[r + 1]; ++j) want[r] += data[j] * x[indices[j]];
  DeviceVector<int> d_ptr(ptr), d_indices(indices);
  DeviceVector<T> d_data(data), d_x(x), d_y(y);
  kernels::spmv_csr<T, 64><<<(n + 63) / 64, 64>>>(n, d_ptr.get(), d_indices.get(), d_data.get(), d_x.get(), d_y.get());
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  return d_y.download() == want;
}

int main() {
  const bool ok = test<float>() && test<double>();
  std::cout << (ok ? "PASSED" : "FAILED") << std::endl;
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
