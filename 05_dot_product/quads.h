#pragma once

// Quads of floats as 5_vectorized has them, and what a thread of the stages after it adds up.

#include <cstddef>

namespace dot_product {

template <bool aligned>
__device__ float4 load_quad(const float* p) {
    if constexpr (aligned) return *reinterpret_cast<const float4*>(p);
    return make_float4(p[0], p[1], p[2], p[3]);
}

__device__ inline void add_products(float4& sums, float4 x, float4 y) {
    sums.x += x.x * y.x;
    sums.y += x.y * y.y;
    sums.z += x.z * y.z;
    sums.w += x.w * y.w;
}

/// The sum of the thread's products. It asks for so many quads of each array before it needs the first. head: elements
/// of a before its 16-byte boundary.
template <unsigned quads_at_once, bool b_aligned>
__device__ float sum_of_thread(const float* a, const float* b, std::size_t n, std::size_t head) {
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    const std::size_t quads = (n - head) / 4;
    const float *a_quads = a + head, *b_quads = b + head;

    float4 sums = make_float4(0, 0, 0, 0);
    std::size_t quad = thread;
    for (; quad + (quads_at_once - 1) * stride < quads; quad += quads_at_once * stride) {
        float4 x[quads_at_once], y[quads_at_once];
        for (unsigned k = 0; k < quads_at_once; ++k) {  // All loads before the first addition.
            x[k] = load_quad<true>(a_quads + 4 * (quad + k * stride));
            y[k] = load_quad<b_aligned>(b_quads + 4 * (quad + k * stride));
        }
        for (unsigned k = 0; k < quads_at_once; ++k) add_products(sums, x[k], y[k]);
    }
    for (; quad < quads; quad += stride)
        add_products(sums, load_quad<true>(a_quads + 4 * quad), load_quad<b_aligned>(b_quads + 4 * quad));

    const std::size_t tail = head + 4 * quads + thread;
    if (thread < head) sums.x += a[thread] * b[thread];
    if (tail < n) sums.y += a[tail] * b[tail];
    return (sums.x + sums.y) + (sums.z + sums.w);
}

}  // namespace dot_product
