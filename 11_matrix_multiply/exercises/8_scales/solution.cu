// c = a · b by whole numbers of eight bits: a float x becomes the nearest whole number to x / scale. The scale is the
// largest magnitude that it serves over 127.

#include "common/check.h"
#include "common/device_buffer.h"

constexpr int largest = 127, block = 256;

// BEGIN SOLUTION
/// Which scale serves element `at`: that of its row, or that of its column.
__device__ int scale_of(int at, int columns, bool by_row) {
    return by_row ? at / columns : at % columns;
}

/// The bits of floats that are not negative are in the order of the floats.
__global__ void find_maxima(const float* x, int n, int columns, bool by_row, unsigned* maxima) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < n) atomicMax(&maxima[scale_of(at, columns, by_row)], __float_as_uint(fabsf(x[at])));
}

__global__ void quantize(const float* x, int n, int columns, bool by_row, const unsigned* maxima, signed char* q) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n) return;
    const float scale = __uint_as_float(maxima[scale_of(at, columns, by_row)]) / largest;
    q[at] = scale == 0 ? 0 : static_cast<signed char>(__float2int_rn(x[at] / scale));
}
// STUB
// /// The bits of floats that are not negative are in the order of the floats.
// __global__ void find_maximum(const float* x, int n, unsigned* maximum) {
//     const int at = blockIdx.x * blockDim.x + threadIdx.x;
//     if (at < n) atomicMax(maximum, __float_as_uint(fabsf(x[at])));
// }
//
// __global__ void quantize(const float* x, int n, const unsigned* maximum, signed char* q) {
//     const int at = blockIdx.x * blockDim.x + threadIdx.x;
//     if (at >= n) return;
//     const float scale = __uint_as_float(*maximum) / largest;
//     q[at] = scale == 0 ? 0 : static_cast<signed char>(__float2int_rn(x[at] / scale));
// }
// END SOLUTION

__global__ void multiply_kernel(const signed char* a, const signed char* b, const unsigned* a_maxima,
                                const unsigned* b_maxima, float* c, int m, int k, int n) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= m || j >= n) return;
    int sum = 0;
    for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
    // BEGIN SOLUTION
    const float of_a = __uint_as_float(a_maxima[i]) / largest, of_b = __uint_as_float(b_maxima[j]) / largest;
    // STUB
    // const float of_a = __uint_as_float(a_maxima[0]) / largest, of_b = __uint_as_float(b_maxima[0]) / largest;
    // END SOLUTION
    c[i * n + j] = sum * of_a * of_b;
}

/// a: m rows of k floats, b: k rows of n, c: m rows of n, in device memory, without gaps. m, n >= 1; 0 <= k <= 10,000.
void multiply(const float* a, const float* b, float* c, int m, int k, int n) {
    DeviceBuffer<signed char> a_bytes(m * k), b_bytes(k * n);
    // BEGIN SOLUTION
    DeviceBuffer<unsigned> a_maxima(m), b_maxima(n);
    CUDA_CHECK(cudaMemset(a_maxima.data(), 0, m * sizeof(unsigned)));
    CUDA_CHECK(cudaMemset(b_maxima.data(), 0, n * sizeof(unsigned)));
    if (k > 0) {
        const int a_blocks = (m * k + block - 1) / block, b_blocks = (k * n + block - 1) / block;
        find_maxima<<<a_blocks, block>>>(a, m * k, k, true, a_maxima.data());
        find_maxima<<<b_blocks, block>>>(b, k * n, n, false, b_maxima.data());
        quantize<<<a_blocks, block>>>(a, m * k, k, true, a_maxima.data(), a_bytes.data());
        quantize<<<b_blocks, block>>>(b, k * n, n, false, b_maxima.data(), b_bytes.data());
        CUDA_CHECK_LAUNCH();
    }
    // STUB
    // DeviceBuffer<unsigned> a_maxima(1), b_maxima(1);
    // CUDA_CHECK(cudaMemset(a_maxima.data(), 0, sizeof(unsigned)));
    // CUDA_CHECK(cudaMemset(b_maxima.data(), 0, sizeof(unsigned)));
    // if (k > 0) {
    //     const int a_blocks = (m * k + block - 1) / block, b_blocks = (k * n + block - 1) / block;
    //     find_maximum<<<a_blocks, block>>>(a, m * k, a_maxima.data());
    //     find_maximum<<<b_blocks, block>>>(b, k * n, b_maxima.data());
    //     quantize<<<a_blocks, block>>>(a, m * k, a_maxima.data(), a_bytes.data());
    //     quantize<<<b_blocks, block>>>(b, k * n, b_maxima.data(), b_bytes.data());
    //     CUDA_CHECK_LAUNCH();
    // }
    // END SOLUTION
    const dim3 threads(32, 8), blocks((n + 31) / 32, (m + 7) / 8);
    multiply_kernel<<<blocks, threads>>>(a_bytes.data(), b_bytes.data(), a_maxima.data(), b_maxima.data(), c, m, k, n);
    CUDA_CHECK_LAUNCH();
}
