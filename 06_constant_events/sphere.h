#pragma once

// What a ray meets. The host and all stages compute it with the same operations in the same order, each fused
// multiply-add written out, so that every picture is the same to the last bit: a compiler that fuses what another does
// not would move pixels at the edges of the spheres.

#include <cuda_runtime.h>

#include <cmath>

#include "common/bitmap.h"

namespace ray_tracer {

/// Colours from 0 to 1; positions in pixels from the middle of the picture, z towards the viewer. The radius is above 0
/// and its square is finite.
struct Sphere {
    float red, green, blue;
    float radius;
    float x, y, z;
};

/// What it takes to test for a hit, in 16 bytes: x, y, z and the square of the radius.
__host__ __device__ inline float4 shape_of(const Sphere& s) {
    return {s.x, s.y, s.z, s.radius * s.radius};
}

/// What it takes to shade, in 16 bytes: the colour and 1 / radius.
__host__ __device__ inline float4 look_of(const Sphere& s) {
    return {s.red, s.green, s.blue, 1 / s.radius};
}

/// a - d², rounded once: the larger |d|, the less is left.
__host__ __device__ inline float minus_square(float a, float d) {
    return fmaf(-d, d, a);
}

/// The square of dz, how far before its centre the ray at (x, y) meets a sphere. Not above 0 where it misses.
__host__ __device__ inline float square_of_dz(const float4& shape, float x, float y) {
    return minus_square(minus_square(shape.w, y - shape.y), x - shape.x);
}

/// What the ray sees of a sphere that it meets dz before the centre: full colour in the middle, black at the edge.
__host__ __device__ inline Rgba shaded(const float4& look, float dz) {
    const float shade = dz * look.w * 255;
    return {static_cast<unsigned char>(look.x * shade), static_cast<unsigned char>(look.y * shade),
            static_cast<unsigned char>(look.z * shade), 255};
}

}  // namespace ray_tracer
