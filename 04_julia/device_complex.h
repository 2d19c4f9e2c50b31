#pragma once

// The formula as mathematics writes it, z * z + c: a type of the device, with a constructor and operators.

#include "iterate.h"

namespace julia {

struct DeviceComplex {
    float re, im;

    __device__ DeviceComplex(float re, float im) : re(re), im(im) {}

    __device__ DeviceComplex operator*(const DeviceComplex& other) const {
        return {re * other.re - im * other.im, im * other.re + re * other.im};
    }
    __device__ DeviceComplex operator+(const DeviceComplex& other) const { return {re + other.re, im + other.im}; }

    __device__ float norm() const { return re * re + im * im; }
};

/// As escape() in iterate.h, with this type.
__device__ inline Escape escape_with_operators(Complex start, Complex constant, int iterations) {
    const DeviceComplex c(constant.re, constant.im);
    DeviceComplex z(start.re, start.im);
    for (int step = 1; step <= iterations; ++step) {
        z = z * z + c;
        const float norm = z.norm();
        if (is_outside(norm)) return {step, norm};
    }
    return {};
}

}  // namespace julia
