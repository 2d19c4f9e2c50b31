// The reference: matrices that were rounded to eight bits on the host, by the definition, and their product in double.
// Products of such numbers are exact there, and so are sums of Int8 and of E4M3. Each thread has rows of its own.

#include <algorithm>
#include <cmath>
#include <thread>

#include "eight.h"

namespace matrix_multiply {
namespace {

/// The nearest number of the format, of two that are as near the even one; beyond the largest number it is that one.
template <class F>
float nearest(float x) {
    int of_last_bit = 0;
    if constexpr (!std::is_same_v<F, Int8>) {
        int exponent = 0;
        std::frexp(x, &exponent);  // |x| is at least 2^(exponent - 1)
        of_last_bit = std::max(exponent - 1, F::smallest_exponent) - F::fraction_bits;
    }
    const double units = std::nearbyint(std::ldexp(double{x}, -of_last_bit));
    return std::clamp(static_cast<float>(std::ldexp(units, of_last_bit)), -F::largest, F::largest);
}

template <class F>
void multiply_rows(const QuantizedOnHost<F>& in, std::span<double> c, std::size_t begin, std::size_t end) {
    const auto [m, k, n] = in.shape;
    const std::size_t depth = F::by_blocks ? block_depth : std::max(k, std::size_t{1});
    std::vector<double> sums(n);
    for (std::size_t i = begin; i < end; ++i) {
        const auto row = c.subspan(i * n, n);
        std::fill(row.begin(), row.end(), 0.0);
        for (std::size_t first = 0; first < k; first += depth) {
            std::fill(sums.begin(), sums.end(), 0.0);
            for (std::size_t l = first; l < std::min(k, first + depth); ++l) {
                const double x = in.a[i * k + l];
                for (std::size_t j = 0; j < n; ++j) sums[j] += x * in.b[l * n + j];
            }
            const float* scales = &in.b_scales[first / depth * n];
            const double scale = in.a_scales[first / depth * m + i];
            for (std::size_t j = 0; j < n; ++j)
                row[j] += std::is_same_v<F, Int8> ? sums[j] : scale * scales[j] * sums[j];
        }
    }
}

/// Replaces maxima by scales.
template <class F>
void make_scales(std::vector<float>& maxima) {
    for (float& maximum : maxima) maximum = maximum == 0 ? 1 : maximum / F::largest;
}

}  // namespace

void in_threads(std::size_t n, const std::function<void(std::size_t begin, std::size_t end)>& work) {
    const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < threads; ++t)
        others.emplace_back([&, t] { work(n * t / threads, n * (t + 1) / threads); });
    work(0, n / threads);
}

template <class F>
QuantizedOnHost<F> quantized_on_host(std::span<const float> a, std::span<const float> b, Shape shape) {
    const auto [m, k, n] = shape;
    const std::size_t scales = scales_for<F>(k), depth = F::by_blocks ? block_depth : std::max(k, std::size_t{1});
    QuantizedOnHost<F> to{std::vector<float>(m * k), std::vector<float>(k * n), std::vector<float>(scales * m),
                          std::vector<float>(scales * n), shape};
    for (std::size_t i = 0; i < shape.m; ++i)
        for (std::size_t l = 0; l < shape.k; ++l) {
            float& maximum = to.a_scales[l / depth * m + i];
            maximum = std::max(maximum, std::abs(a[i * k + l]));
        }
    for (std::size_t l = 0; l < shape.k; ++l)
        for (std::size_t j = 0; j < shape.n; ++j) {
            float& maximum = to.b_scales[l / depth * n + j];
            maximum = std::max(maximum, std::abs(b[l * n + j]));
        }
    make_scales<F>(to.a_scales);
    make_scales<F>(to.b_scales);
    in_threads(m, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            for (std::size_t l = 0; l < shape.k; ++l)
                to.a[i * shape.k + l] = nearest<F>(a[i * shape.k + l] / to.a_scales[l / depth * shape.m + i]);
    });
    in_threads(k, [&](std::size_t begin, std::size_t end) {
        for (std::size_t l = begin; l < end; ++l)
            for (std::size_t j = 0; j < shape.n; ++j)
                to.b[l * shape.n + j] = nearest<F>(b[l * shape.n + j] / to.b_scales[l / depth * shape.n + j]);
    });
    return to;
}

template <class F>
void eight_cpu(const QuantizedOnHost<F>& in, std::span<double> c) {
    in_threads(in.shape.m, [&](std::size_t begin, std::size_t end) { multiply_rows(in, c, begin, end); });
}

template QuantizedOnHost<Int8> quantized_on_host(std::span<const float>, std::span<const float>, Shape);
template QuantizedOnHost<E4m3> quantized_on_host(std::span<const float>, std::span<const float>, Shape);
template QuantizedOnHost<E5m2> quantized_on_host(std::span<const float>, std::span<const float>, Shape);
template QuantizedOnHost<E4m3Blocks> quantized_on_host(std::span<const float>, std::span<const float>, Shape);

template <class F>
constexpr EightStage<F> eight_cpu_stage{"all threads of the host, in double", eight_cpu<F>};
STAGES(eight_cpu_stage<Int8>, eight_cpu_stage<E4m3>, eight_cpu_stage<E5m2>, eight_cpu_stage<E4m3Blocks>);

}  // namespace matrix_multiply
