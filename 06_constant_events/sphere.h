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

/// The square of dz, how far before its centre the ray at (x, y) meets a sphere with centre (cx, cy) and this square of
/// its radius. Not above 0 where it misses. Each step is monotonic: a ray farther from cx or cy never gets more.
__host__ __device__ inline float square_of_dz(float x, float y, float cx, float cy, float radius_squared) {
    const float dx = x - cx, dy = y - cy;
    return fmaf(-dx, dx, fmaf(-dy, dy, radius_squared));
}

/// A channel of the colour from 0 to 1, darkened by shade, from 0 to 1, too.
__host__ __device__ inline unsigned char channel(float colour, float shade) {
    return static_cast<unsigned char>(colour * shade * 255);
}

/// What the ray sees of a sphere that it meets dz before the centre: full colour in the middle, black at the edge.
__host__ __device__ inline Rgba shaded(const Sphere& sphere, float dz) {
    const float shade = dz / sphere.radius;
    return {channel(sphere.red, shade), channel(sphere.green, shade), channel(sphere.blue, shade), 255};
}

inline constexpr Rgba background{0, 0, 0, 255};

/// What it takes to test for a hit, in 16 bytes: x, y, z and the square of the radius.
inline float4 pack(const Sphere& s) {
    return {s.x, s.y, s.z, s.radius * s.radius};
}

}  // namespace ray_tracer
