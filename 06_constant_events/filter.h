#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/rgba.h"
#include "common/stage.h"

// A filter over a picture: each pixel becomes a weighted sum of itself and the pixels around it.
//
// All stages give the same bits, in whatever order they add. Weights are whole numbers whose magnitudes add up to at
// most 65,536, and pixels are whole numbers from 0 to 255. So each sum on the way is a whole number below 2^24, which a
// float holds exactly. Only finished() rounds, once for each pixel. (With other floats a stage is within side² · 2^-23
// of the sum of the products' magnitudes, times the scale.)
namespace filter {

inline constexpr int largest_side = 31;
inline constexpr int most_weights = largest_side * largest_side;

/// How a sum becomes a pixel: scale · sum + offset.
struct Scale {
    float factor, offset;
};

/// side · side weights, row by row. side is odd, from 3 to largest_side. The pixel in row y and column x gets the sum
/// of weights[dy * side + dx] · the pixel in row y + dy - side / 2 and column x + dx - side / 2. Beyond the border
/// pixels are as the nearest one within.
struct Filter {
    int side;
    Scale scale;
    std::vector<float> weights;
    std::vector<float> line;  ///< where weights[dy * side + dx] = line[dy] · line[dx], these `side` factors; else empty
};

/// At least 1 × 1 pixel, row by row from the top. At most max_side rows.
struct Size {
    int width, height;
};

inline constexpr int max_side = 65'535 * 8;  // blocks of a grid, of 8 rows

/// Pixels are floats, or Rgba. An Rgba has three sums, and its alpha counts for nothing: what comes out is opaque.
template <class T>
using Sum = std::conditional_t<std::is_same_v<T, float>, float, float4>;  // w is left alone

/// Brings the weights to where the stage's kernel reads them, in place of those loaded before. Throws cuda_error.
using Load = void(const Filter& filter);

/// out = the picture `in` through the filter, which is loaded. in and out, and for stages that keep sums scratch, have
/// room for size.width · size.height in device memory, and do not overlap. The work is queued, not waited for. Throws
/// cuda_error, and usage_error for a filter that the stage cannot take.
template <class T>
using Launch = void(const Filter& filter, Size size, const T* in, T* out, Sum<T>* scratch);

/// The same on the host.
template <class T>
using OnHost = void(const Filter& filter, Size size, std::span<const T> in, std::span<T> out);

template <class T>
void cpu(const Filter& filter, Size size, std::span<const T> in, std::span<T> out);  // f1_cpu.cpp
template <class T>
void cpu_threads(const Filter& filter, Size size, std::span<const T> in, std::span<T> out);  // f1_cpu.cpp

/// cpu_threads() with this number of threads, at least 1.
template <class T>
void in_threads(const Filter& filter, Size size, std::span<const T> in, std::span<T> out, int threads);  // f1_cpu.cpp

/// A stage, and how it gets the weights. A stage on the host reads them where they are.
template <class T>
struct FilterStage : ::Stage<Launch<T>, OnHost<T>> {
    Load* load = nullptr;
    bool takes_lines = false;  ///< only filters that are a product of two lines
};

template <class T>
inline const std::vector<FilterStage<T>>& stages = all_stages<FilterStage<T>>();

/// "blur": a tent, whose weights fall from the middle to each side. "edges": the pixel against the mean of those around
/// it. "emboss": what lies on the lower right against what lies on the upper left. Throws usage_error for another name,
/// and for a side that a filter cannot have.
Filter filter_called(std::string_view name, int side);  // f1_cpu.cpp

/// The names of filter_called().
inline const std::vector<std::string> filter_names{"blur", "edges", "emboss"};

/// Where the pixel at that index is taken from, of n in a row or column.
__host__ __device__ inline int clamped(int index, int n) {
    return index < 0 ? 0 : index < n ? index : n - 1;
}

__host__ __device__ inline void add(float& sum, float weight, float pixel) {
    sum += weight * pixel;
}

__host__ __device__ inline void add(float4& sum, float weight, const float4& pixel) {
    sum.x += weight * pixel.x;
    sum.y += weight * pixel.y;
    sum.z += weight * pixel.z;
}

/// The pixel as a sum of itself.
__host__ __device__ inline float as_sum(float pixel) {
    return pixel;
}

__host__ __device__ inline float4 as_sum(Rgba pixel) {
    return {static_cast<float>(pixel.r), static_cast<float>(pixel.g), static_cast<float>(pixel.b), 0};
}

/// A float keeps what scale and offset make of it, below 0 and above 255, too.
__host__ __device__ inline float finished(float sum, Scale scale) {
    return fmaf(sum, scale.factor, scale.offset);
}

/// Rounded to the nearest of 0 to 255.
__host__ __device__ inline Rgba finished(const float4& sum, Scale scale) {
    const auto channel = [&](float of_sum) {
        const float value = fmaf(of_sum, scale.factor, scale.offset);
        return static_cast<std::uint8_t>(fminf(fmaxf(value, 0), 255) + 0.5f);
    };
    return {channel(sum.x), channel(sum.y), channel(sum.z), 255};
}

/// The bytes that any stage moves: each pixel is read once and written once.
template <class T>
constexpr double bytes_moved(Size size) {
    return 2.0 * sizeof(T) * size.width * size.height;
}

}  // namespace filter
