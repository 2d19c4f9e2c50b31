// A block a row: Welford's formula for each thread, and Chan's in a tree.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>

#include "common/check.h"

constexpr float epsilon = 1e-5f;

namespace {

struct Moments {
    float n, mean, m2;
};

__device__ Moments merged(Moments a, Moments b) {
    const float n = a.n + b.n;
    if (n == 0) return a;
    const float d = b.mean - a.mean;
    return {n, a.mean + d * (b.n / n), a.m2 + b.m2 + d * d * (a.n * b.n / n)};
}

__global__ void norm(const float* in, const float* gain, const float* shift, float* out, int rows, int columns) {
    __shared__ Moments parts[128];
    for (int i = blockIdx.x; i < rows; i += gridDim.x) {
        const float* row = in + std::size_t(i) * columns;
        Moments m{0, 0, 0};
        for (int j = threadIdx.x; j < columns; j += blockDim.x) {
            m.n += 1;
            const float d = row[j] - m.mean;
            m.mean += d / m.n;
            m.m2 += d * (row[j] - m.mean);
        }
        parts[threadIdx.x] = m;
        for (unsigned h = blockDim.x / 2; h > 0; h /= 2) {
            __syncthreads();
            if (threadIdx.x < h) parts[threadIdx.x] = merged(parts[threadIdx.x], parts[threadIdx.x + h]);
        }
        __syncthreads();
        const Moments all = parts[0];
        const float scale = rsqrtf(all.m2 / columns + epsilon);
        for (int j = threadIdx.x; j < columns; j += blockDim.x)
            out[std::size_t(i) * columns + j] = fmaf((row[j] - all.mean) * scale, gain[j], shift[j]);
        __syncthreads();
    }
}

struct Free {
    void operator()(float* p) const { cudaFree(p); }
};

using Buffer = std::unique_ptr<float, Free>;

cudaError_t make(Buffer& b, std::size_t n) {
    float* p = nullptr;
    const cudaError_t e = cudaMalloc(&p, n * sizeof(float));
    b.reset(p);
    return e;
}

}  // namespace

cudaError_t layer_norm(const float* in, const float* gain, const float* shift, float* out, int rows, int columns) {
    const std::size_t n = std::size_t(rows) * std::size_t(columns);
    if (!n) return cudaSuccess;
    Buffer a, g, s, o;
    for (auto [b, k] :
         {std::pair{&a, n}, std::pair{&g, std::size_t(columns)}, std::pair{&s, std::size_t(columns)}, std::pair{&o, n}})
        if (auto e = make(*b, k)) return e;
    for (auto [b, h, k] : {std::tuple{&a, in, n}, std::tuple{&g, gain, std::size_t(columns)},
                           std::tuple{&s, shift, std::size_t(columns)}})
        if (auto e = cudaMemcpy(b->get(), h, k * sizeof(float), cudaMemcpyHostToDevice)) return e;
    (void)cudaGetLastError();
    const int blocks = std::min(rows, 1000);
    norm<<<blocks, 128>>>(a.get(), g.get(), s.get(), o.get(), rows, columns);
    if (auto e = cudaGetLastError()) return e;
    return cudaMemcpy(out, o.get(), n * sizeof(float), cudaMemcpyDeviceToHost);
}
