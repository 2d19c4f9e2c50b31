#pragma once

// From stage 5 on a thread draws four neighbouring pixels of a row.

#include <cstring>

#include "ray_tracer.h"

namespace ray_tracer {

inline constexpr unsigned pixels_per_thread = 4;

/// The rays of four neighbouring pixels, and what they have met so far.
class FourRays {
  public:
    /// (x, y): the leftmost ray.
    __device__ FourRays(float x, float y) : x_(x), y_(y) {}

    /// Tests all four rays against a sphere. Spheres must come in the order of their indices.
    __device__ void ask(const float4& shape, unsigned index) {
        const float rest = minus_square(shape.w, y_ - shape.y);
        if (!(rest > 0)) return;  // the whole row of pixels misses the sphere
#pragma unroll
        for (unsigned k = 0; k < pixels_per_thread; ++k) {
            const float dz_squared = minus_square(rest, x_ + static_cast<float>(k) - shape.x);
            if (!(dz_squared > 0)) continue;
            const float dz = sqrtf(dz_squared);
            if (shape.z + dz > nearest_[k]) {
                nearest_[k] = shape.z + dz;
                dz_[k] = dz;
                sphere_[k] = index;
            }
        }
    }

    /// Writes those of the four pixels that are in the picture, with a single store if their address allows it.
    __device__ void draw(const Image& image, unsigned column, unsigned row, const float4* looks) const {
        if (column >= image.width || row >= image.height) return;
        Rgba colours[pixels_per_thread];
#pragma unroll
        for (unsigned k = 0; k < pixels_per_thread; ++k)
            colours[k] = sphere_[k] == none ? Rgba{} : shaded(looks[sphere_[k]], dz_[k]);

        Rgba* pixels = &image.pixels[std::size_t{row} * image.width + column];
        if (column + pixels_per_thread <= image.width &&
            reinterpret_cast<std::uintptr_t>(pixels) % sizeof(uint4) == 0) {
            uint4 four;
            memcpy(&four, colours, sizeof four);
            *reinterpret_cast<uint4*>(pixels) = four;
        } else {
            for (unsigned k = 0; k < pixels_per_thread && column + k < image.width; ++k) pixels[k] = colours[k];
        }
    }

  private:
    static constexpr unsigned none = ~0u;

    float x_, y_;
    float nearest_[pixels_per_thread] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    float dz_[pixels_per_thread] = {};
    unsigned sphere_[pixels_per_thread] = {none, none, none, none};
};

}  // namespace ray_tracer
