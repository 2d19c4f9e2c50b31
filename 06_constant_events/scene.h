#pragma once

// How the stages from 4 on store the spheres.

#include <algorithm>
#include <vector>

#include "common/device_buffer.h"
#include "ray_tracer.h"

namespace ray_tracer {

inline std::vector<float4> shapes_of(std::span<const Sphere> spheres) {
    std::vector<float4> shapes(spheres.size());
    std::transform(spheres.begin(), spheres.end(), shapes.begin(), shape_of);
    return shapes;
}

inline std::vector<float4> looks_of(std::span<const Sphere> spheres) {
    std::vector<float4> looks(spheres.size());
    std::transform(spheres.begin(), spheres.end(), looks.begin(), look_of);
    return looks;
}

}  // namespace ray_tracer
