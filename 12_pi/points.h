#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/stage.h"
#include "philox.h"

// π from random points: the quarter of a circle fills π/4 of its square, so of n random points about n · π/4 are hits.
namespace points {

/// Of the points that the seed makes those with first ≤ i < last, none if both are the same. 0 ≤ first ≤ last.
struct Points {
    std::uint64_t seed;
    std::int64_t first, last;
};

/// The most points of a launch: a grid has at most 2^31 - 1 blocks.
inline constexpr std::int64_t max_n = std::int64_t{1} << 38;

/// The part-th of `parts` pieces, 0 ≤ part < parts ≤ 2^24, which differ in length by one point at most.
inline Points part_of(const Points& points, std::int64_t part, std::int64_t parts) {
    const std::int64_t n = points.last - points.first;
    return {points.seed, points.first + n * part / parts, points.first + n * (part + 1) / parts};
}

/// Whether x² + y² < 1, with x and y in units of 2^-32. In these units it is x² + y² < 2^64: the sum does not overflow.
__host__ __device__ inline bool is_inside(std::uint32_t x, std::uint32_t y) {
    const std::uint64_t x_squared = std::uint64_t{x} * x, y_squared = std::uint64_t{y} * y;
    return x_squared + y_squared >= y_squared;  // A sum that overflows is smaller than its parts.
}

/// A call of Philox makes two points: 2 · call, and the one after it. The call's number is the counter, and the seed is
/// the key: two seeds have no call in common, and two calls of a seed no counter.
__host__ __device__ inline philox::Four counter_of(std::int64_t call) {
    return {static_cast<std::uint32_t>(call), static_cast<std::uint32_t>(call >> 32), 0, 0};
}

__host__ __device__ inline philox::Key key_of(std::uint64_t seed) {
    return {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
}

/// Whether the i-th point is a hit. It depends on nothing else, so it does not matter which thread asks.
__host__ __device__ inline bool is_hit(std::uint64_t seed, std::int64_t i) {
    const philox::Four numbers = philox::random(counter_of(i / 2), key_of(seed));
    return i % 2 == 0 ? is_inside(numbers.x, numbers.y) : is_inside(numbers.z, numbers.w);
}

/// *hits = how many of the points are hits. hits: one number in device memory. At most max_n points. The work is queued
/// on the default stream, not waited for. Throws cuda_error.
using Launch = void(const Points& points, unsigned long long* hits);

/// Returns the hits, counted on the host.
using OnHost = std::int64_t(const Points& points);

OnHost cpu, cpu_threads;  // r1_cpu.cpp
Launch words;             // r5_words.cu

using Stage = ::Stage<Launch, OnHost>;
inline const std::vector<Stage>& stages = all_stages<Stage>();

/// What a count says of π.
struct Estimate {
    double pi;
    double error;      ///< π itself taken off
    double deviation;  ///< the standard deviation: two thirds of all seeds are nearer to π than that
};

Estimate estimate(std::int64_t hits, std::int64_t n);  // estimate.cpp

}  // namespace points
