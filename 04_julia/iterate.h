#pragma once

// The computation for one pixel, on the host and on the device: its point of the plane, and how soon that escapes. This
// chapter is compiled so that compilers fuse a product and a sum only where std::fma() says so. So host and device
// compute the same bits.

#include <cuda_runtime.h>

#include <cmath>

#include "julia.h"

namespace julia {

/// The point of the plane that a pixel shows. Larger x and y are smaller numbers.
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

/// Whether a z with this |z|² has escaped. A z that overflowed has escaped, too: then |z|² may be inf - inf, a NaN.
__host__ __device__ inline bool is_outside(float norm) {
    return !(norm <= escape_norm);
}

/// Whether a z that has escaped stays outside, so that a test now and then is enough. That holds for |c| <= 900: if
/// |z|² > 1000, then |z² + c| >= |z|² - |c| > 100, which is outside again with much to spare for rounding. A z that
/// overflows becomes infinite and then NaN, which counts as outside and never becomes a number again. For a larger c it
/// may not hold: with c = -993, z goes from 31 to -32, which is outside, and back to 31.
inline bool escapes_for_good(Complex c) {
    return std::hypot(c.re, c.im) <= 900;
}

/// In which step z escaped, and |z|² after that step; 0 steps if z stayed.
struct Escape {
    int steps = 0;
    float norm = 0;
};

/// Repeats z = z² + c up to `iterations` times, and tests |z|² after each.
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
