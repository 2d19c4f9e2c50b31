// One thread finds a scale and uses it at once, so that there are no maxima to be kept apart from it.

#include "common/check.h"
#include "common/device_buffer.h"

/// `step` elements lie from one to the next of those that share a scale, and `next` from one scale's to the next one's.
__global__ void quantize(const float* x, int count, int length, int next, int step, float* scales, signed char* q) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= count) return;
    float maximum = 0;
    for (int e = 0; e < length; ++e) maximum = fmaxf(maximum, fabsf(x[s * next + e * step]));
    scales[s] = maximum / 127;
    const float per_scale = maximum > 0 ? 127 / maximum : 0;
    for (int e = 0; e < length; ++e)
        q[s * next + e * step] = static_cast<signed char>(rintf(x[s * next + e * step] * per_scale));
}

__global__ void multiply_kernel(const signed char* a, const signed char* b, const float* of_a, const float* of_b,
                                float* c, int m, int k, int n) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= m || j >= n) return;
    int sum = 0;
    for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
    c[i * n + j] = of_a[i] * of_b[j] * static_cast<float>(sum);
}

void multiply(const float* a, const float* b, float* c, int m, int k, int n) {
    DeviceBuffer<signed char> a_bytes(m * k), b_bytes(k * n);
    DeviceBuffer<float> of_a(m), of_b(n);
    quantize<<<(m + 63) / 64, 64>>>(a, m, k, k, 1, of_a.data(), a_bytes.data());
    quantize<<<(n + 63) / 64, 64>>>(b, n, k, 1, n, of_b.data(), b_bytes.data());
    const dim3 threads(32, 8), blocks((n + 31) / 32, (m + 7) / 8);
    multiply_kernel<<<blocks, threads>>>(a_bytes.data(), b_bytes.data(), of_a.data(), of_b.data(), c, m, k, n);
    CUDA_CHECK_LAUNCH();
}
