#pragma once

// Quads of floats as 5_vectorized has them, for the stages after it.

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

}  // namespace dot_product
