#pragma once

// What a ray meets. The host and all stages use the same operations in the same order, and every fused multiply-add is
// written out, so that all pictures are the same to the last bit. If compilers could choose where to fuse, pixels at
// the edges of the spheres would differ.

#include <cuda_runtime.h>

#include <cmath>

#include "common/rgba.h"

namespace ray_tracer {

/// Colours from 0 to 1; positions in pixels from the middle of the picture, z towards the viewer. The radius is above
/// 0, and its square is finite.
struct Sphere {
    float red, green, blue;
    float radius;
    float x, y, z;
};

/// The part of a sphere that the test for a hit needs, in 16 bytes: x, y, z and the square of the radius.
__host__ __device__ inline float4 shape_of(const Sphere& s) {
    return {s.x, s.y, s.z, s.radius * s.radius};
}

/// The part of a sphere that shading needs, in 16 bytes: the colour and 1 / radius.
__host__ __device__ inline float4 look_of(const Sphere& s) {
    return {s.red, s.green, s.blue, 1 / s.radius};
}

/// a - d², rounded once. The larger |d|, the smaller the result.
__host__ __device__ inline float minus_square(float a, float d) {
    return fmaf(-d, d, a);
}

/// The square of dz: the ray at (x, y) meets the sphere dz in front of its centre. Not above 0 if it misses.
__host__ __device__ inline float square_of_dz(const float4& shape, float x, float y) {
    return minus_square(minus_square(shape.w, y - shape.y), x - shape.x);
}

/// The colour of a sphere that the ray meets dz in front of its centre: full in the middle, black at the edge.
__host__ __device__ inline Rgba shaded(const float4& look, float dz) {
    const float shade = dz * look.w * 255;
    return {static_cast<unsigned char>(look.x * shade), static_cast<unsigned char>(look.y * shade),
            static_cast<unsigned char>(look.z * shade), 255};
}

}  // namespace ray_tracer
