// A class owns each array; a function for the steps returns at the first error. Welford's formula takes one pass for
// mean and variance, and Chan's combines those of the lanes.

#include <cmath>
#include <cstddef>

#include "common/check.h"

struct Moments {
    float n, mean, squares;
};

__device__ Moments combined(Moments a, Moments b) {
    const float n = a.n + b.n, difference = b.mean - a.mean;
    if (n == 0) return a;
    return {n, a.mean + difference * (b.n / n), a.squares + b.squares + difference * difference * (a.n * b.n / n)};
}

__global__ void normalise(const float* in, const float* gain, const float* shift, float* out, int columns) {
    __shared__ Moments of_warps[4];
    const std::size_t row = std::size_t(blockIdx.x) * columns;
    Moments own{0, 0, 0};
    for (int j = threadIdx.x; j < columns; j += blockDim.x) {
        const float value = in[row + j], before = value - own.mean;
        own.n += 1;
        own.mean += before / own.n;
        own.squares += before * (value - own.mean);
    }
    for (int offset = 1; offset < 32; offset *= 2)
        own =
            combined(own, {__shfl_down_sync(0xffffffff, own.n, offset), __shfl_down_sync(0xffffffff, own.mean, offset),
                           __shfl_down_sync(0xffffffff, own.squares, offset)});
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
    __syncthreads();
    own = combined(combined(of_warps[0], of_warps[1]), combined(of_warps[2], of_warps[3]));
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        out[row + j] = fmaf((in[row + j] - own.mean) * rsqrtf(own.squares / own.n + 1e-5f), gain[j], shift[j]);
}

class Array {
  public:
    explicit Array(std::size_t n) : bytes_(n * sizeof(float)) { error_ = cudaMalloc(&memory_, bytes_); }
    Array(const float* from, std::size_t n) : Array(n) {
        if (error_ == cudaSuccess) error_ = cudaMemcpy(memory_, from, bytes_, cudaMemcpyHostToDevice);
    }
    ~Array() { cudaFree(memory_); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;

    float* data() const { return memory_; }
    cudaError_t error() const { return error_; }
    cudaError_t copy_to(float* to) const { return cudaMemcpy(to, memory_, bytes_, cudaMemcpyDeviceToHost); }

  private:
    float* memory_ = nullptr;
    std::size_t bytes_;
    cudaError_t error_;
};

cudaError_t layer_norm(const float* in, const float* gain, const float* shift, float* out, int rows, int columns) {
    if (rows == 0 || columns == 0) return cudaSuccess;
    const std::size_t n = std::size_t(rows) * columns;
    const Array gains(gain, columns), shifts(shift, columns);
    for (const Array* array : {&gains, &shifts})
        if (array->error() != cudaSuccess) return array->error();
    const Array values(in, n);
    if (values.error() != cudaSuccess) return values.error();
    const Array result(n);
    if (result.error() != cudaSuccess) return result.error();
    cudaGetLastError();
    normalise<<<rows, 128>>>(values.data(), gains.data(), shifts.data(), result.data(), columns);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
    return result.copy_to(out);
}
