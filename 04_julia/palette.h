#pragma once

// Turns an escape into a colour, with operations that are exact on the host and on the device alike.

#include <cuda_runtime.h>

#include <cstring>

#include "iterate.h"

namespace julia {

/// log2(x) for x >= 1, to about three digits and without jumps where the exponent changes. The logarithms of the C
/// library and of a GPU differ in their last bits; this one is the same on both.
__host__ __device__ inline float rough_log2(float x) {
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    const auto exponent = static_cast<float>(static_cast<int>(bits >> 23) - 127);
    bits = (bits & 0x7fffff) | 0x3f800000;
    float mantissa;
    memcpy(&mantissa, &bits, sizeof mantissa);
    const float u = mantissa - 1;
    return exponent + u * (1.4228f + u * (-0.5822f + u * 0.1594f));
}

/// The steps until the escape, with a fraction so that colours change gradually: each step about squares |z|², so
/// log2(log |z|²) grows by 1.
__host__ __device__ inline float smooth_steps(Escape escape) {
    constexpr float largest = 1e6f;  // about the square of escape_norm; after a first step |z|² may be larger, even NaN
    const float norm = escape.norm <= largest ? escape.norm : largest;
    return static_cast<float>(escape.steps) - rough_log2(rough_log2(norm) / rough_log2(escape_norm));
}

/// A cycle of six colours. Whenever the steps double, the colour has moved on to the next one.
__host__ __device__ inline Rgba smooth_colour(Escape escape) {
    constexpr Rgba stops[] = {{8, 12, 40},     {20, 80, 160},  {120, 210, 230},
                              {255, 250, 220}, {250, 160, 40}, {120, 20, 50}};
    constexpr unsigned count = sizeof stops / sizeof stops[0];
    const auto position = static_cast<unsigned>(rough_log2(1 + smooth_steps(escape)) * 256);
    const unsigned fraction = position % 256;
    const Rgba from = stops[position / 256 % count], to = stops[(position / 256 + 1) % count];
    const auto mix = [=](unsigned a, unsigned b) {
        return static_cast<std::uint8_t>((a * (256 - fraction) + b * fraction) / 256);
    };
    return {mix(from.r, to.r), mix(from.g, to.g), mix(from.b, to.b), 255};
}

__host__ __device__ inline Rgba colour(Palette palette, Escape escape) {
    const bool stays = escape.steps == 0;
    if (palette == Palette::smooth && !stays) return smooth_colour(escape);
    return {static_cast<std::uint8_t>(stays && palette == Palette::red ? 255 : 0), 0, 0, 255};
}

}  // namespace julia
