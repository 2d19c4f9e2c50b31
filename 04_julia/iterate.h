#pragma once

// What happens to one pixel, on the host and on the device: its point of the plane, and how soon that escapes. This
// chapter is compiled so that no compiler fuses a product with a sum unless std::fma() says so; then all of them
// compute the same bits.

#include <cuda_runtime.h>

#include <cmath>

#include "julia.h"

namespace julia {

/// Which point a pixel shows: the notes' formula, and the centre added to it. Larger x and y are smaller numbers.
__host__ __device__ inline Complex point_at(const View& view, int x, int y) {
    const int side = view.width < view.height ? view.width : view.height;
    const auto half = static_cast<float>(side > 1 ? side / 2 : 1);
    return {view.scale * static_cast<float>(view.width / 2 - x) / half + view.center.re,
            view.scale * static_cast<float>(view.height / 2 - y) / half + view.center.im};
}

struct Separate {
    static __host__ __device__ Complex next(Complex z, Complex c) {
        return {z.re * z.re - z.im * z.im + c.re, z.im * z.re + z.re * z.im + c.im};
    }
    static __host__ __device__ float norm(Complex z) { return z.re * z.re + z.im * z.im; }
};

struct Fused {
    static __host__ __device__ Complex next(Complex z, Complex c) {
        return {std::fma(z.re, z.re, std::fma(-z.im, z.im, c.re)), std::fma(z.re + z.re, z.im, c.im)};
    }
    static __host__ __device__ float norm(Complex z) { return std::fma(z.re, z.re, z.im * z.im); }
};

/// Whether |z|² says that z has escaped. What has gone so far that it became inf - inf has escaped as well.
__host__ __device__ inline bool is_outside(float norm) {
    return !(norm <= escape_norm);
}

/// Whether a z that has escaped stays outside, so that it is enough to look now and then. If |z|² > 1000, then
/// |z² + c| >= |z|² - |c| > 1000 - |c|, and that is outside again, with much to spare for rounding, if |c| <= 900. A z
/// that overflows becomes infinite and then inf - inf, which is no number; it never becomes one again, and counts as
/// outside. For a larger c it may not be so: with c = -993, z goes from 31 to -32, which is outside, and back to 31.
inline bool escapes_for_good(Complex c) {
    return std::hypot(c.re, c.im) <= 900;
}

/// When z escaped and how large |z|² was then; 0 steps if it stayed.
struct Escape {
    int steps = 0;
    float norm = 0;
};

/// Repeats z = z² + c up to `iterations` times, and looks at |z|² after each.
template <class Arithmetic>
__host__ __device__ Escape escape(Complex z, Complex c, int iterations) {
    for (int step = 1; step <= iterations; ++step) {
        z = Arithmetic::next(z, c);
        const float norm = Arithmetic::norm(z);
        if (is_outside(norm)) return {step, norm};
    }
    return {};
}

}  // namespace julia
