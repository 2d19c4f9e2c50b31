#include "eight_bound.h"

#include <algorithm>
#include <cmath>

namespace matrix_multiply {
namespace {

constexpr double kept = 0x1p-13 * 1.125, deviations = 9;
constexpr std::size_t at_once = 16;  // products that a tensor core adds up at once, or more of them

/// How much of x, which has this scale, rounding may take away.
template <class F>
double rounded_off(double x, double scale) {
    const double of_float = std::abs(x) * 0x1p-23;  // of the division
    if constexpr (std::is_same_v<F, Int8>)
        return scale / 2 + of_float;
    else
        return std::max(std::ldexp(std::abs(x), -F::fraction_bits - 1),
                        std::ldexp(scale, F::smallest_exponent - F::fraction_bits - 1)) +
               of_float;
}

/// Squares of the lengths of a row or column, and of what rounding takes away from it.
struct Lengths {
    double of_all = 0, of_change = 0;

    template <class F>
    void add(double x, double scale) {
        of_all += x * x;
        of_change += std::pow(rounded_off<F>(x, scale), 2);
    }
};

template <class F>
std::size_t depth_of(Shape shape) {
    return F::by_blocks ? block_depth : std::max(shape.k, std::size_t{1});
}

template <class F>
void exact_row(const QuantizedOnHost<F>& in, std::size_t i, std::span<double> c, std::span<double> bound) {
    const auto [m, k, n] = in.shape;
    constexpr bool is_exact = std::is_same_v<F, Int8>;
    std::vector<double> sums(n), largest(n), squares(n), linear(n);
    for (std::size_t first = 0; first < k; first += depth_of<F>(in.shape)) {
        const std::size_t block = first / depth_of<F>(in.shape), end = std::min(k, first + depth_of<F>(in.shape));
        std::fill(sums.begin(), sums.end(), 0.0);
        std::fill(largest.begin(), largest.end(), 0.0);
        for (std::size_t l = first; l < end; ++l) {
            const double x = in.a[i * k + l];
            const float* row = &in.b[l * n];
            for (std::size_t j = 0; j < n; ++j) sums[j] += x * row[j];
            if (is_exact) continue;
            for (std::size_t j = 0; j < n; ++j) largest[j] = std::max(largest[j], std::abs(x * row[j]));
            if (l % at_once == at_once - 1 || l + 1 == end)
                for (std::size_t j = 0; j < n; ++j) largest[j] = std::max(largest[j], std::abs(sums[j]));
        }
        const double results = std::ceil(static_cast<double>(end - first) / at_once);
        for (std::size_t j = 0; j < n; ++j) {
            const double scale = is_exact ? 1.0 : double{in.a_scales[block * m + i]} * in.b_scales[block * n + j];
            const double delta = kept * largest[j] * scale;
            c[j] += sums[j] * scale;
            squares[j] += (static_cast<double>(end - first) + results) * delta * delta;
            linear[j] += 2 * results * delta;
        }
    }
    for (std::size_t j = 0; j < n && !is_exact; ++j)
        bound[j] = deviations * std::sqrt(squares[j]) + linear[j] * (1 + 0x1p-10) + std::abs(c[j]) * 0x1p-20;
}

/// The same work for all rows, on all threads of the host.
template <class Work>
ExactRows for_rows(std::vector<std::size_t> rows, std::size_t n, const Work& work) {
    ExactRows all{std::move(rows), {}, {}};
    all.c.resize(all.rows.size() * n);
    all.bound.resize(all.c.size());
    in_threads(all.rows.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r)
            work(all.rows[r], std::span(all.c).subspan(r * n, n), std::span(all.bound).subspan(r * n, n));
    });
    return all;
}

}  // namespace

std::vector<std::size_t> rows_to_verify(std::size_t m, std::size_t most) {
    std::vector<std::size_t> rows(std::min(m, most));
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = rows.size() == 1 ? 0 : r * (m - 1) / (rows.size() - 1);
    return rows;
}

template <class F>
ExactRows exact_rows(const QuantizedOnHost<F>& in, std::vector<std::size_t> rows) {
    return for_rows(std::move(rows), in.shape.n,
                    [&](std::size_t i, std::span<double> c, std::span<double> bound) { exact_row(in, i, c, bound); });
}

template <class F>
ExactRows original_rows(std::span<const float> a, std::span<const float> b, const QuantizedOnHost<F>& quantized,
                        std::vector<std::size_t> rows) {
    const auto [m, k, n] = quantized.shape;
    const std::size_t depth = depth_of<F>(quantized.shape), columns = n, across = k, down = m;
    std::vector<Lengths> of_b(n);
    for (std::size_t l = 0; l < k; ++l)
        for (std::size_t j = 0; j < n; ++j)
            of_b[j].template add<F>(b[l * n + j], quantized.b_scales[l / depth * n + j]);
    return for_rows(std::move(rows), n, [&](std::size_t i, std::span<double> c, std::span<double> bound) {
        Lengths of_a;
        for (std::size_t l = 0; l < across; ++l) {
            const double x = a[i * across + l];
            of_a.template add<F>(x, quantized.a_scales[l / depth * down + i]);
            for (std::size_t j = 0; j < columns; ++j) c[j] += x * b[l * columns + j];
        }
        for (std::size_t j = 0; j < columns; ++j)
            bound[j] = (std::sqrt(of_a.of_change * of_b[j].of_all) + std::sqrt(of_a.of_all * of_b[j].of_change) +
                        std::sqrt(of_a.of_change * of_b[j].of_change)) *
                       (1 + 1e-9);
    });
}

template ExactRows exact_rows(const QuantizedOnHost<Int8>&, std::vector<std::size_t>);
template ExactRows exact_rows(const QuantizedOnHost<E4m3>&, std::vector<std::size_t>);
template ExactRows exact_rows(const QuantizedOnHost<E5m2>&, std::vector<std::size_t>);
template ExactRows exact_rows(const QuantizedOnHost<E4m3Blocks>&, std::vector<std::size_t>);
template ExactRows original_rows(std::span<const float>, std::span<const float>, const QuantizedOnHost<Int8>&,
                                 std::vector<std::size_t>);
template ExactRows original_rows(std::span<const float>, std::span<const float>, const QuantizedOnHost<E4m3>&,
                                 std::vector<std::size_t>);
template ExactRows original_rows(std::span<const float>, std::span<const float>, const QuantizedOnHost<E5m2>&,
                                 std::vector<std::size_t>);
template ExactRows original_rows(std::span<const float>, std::span<const float>, const QuantizedOnHost<E4m3Blocks>&,
                                 std::vector<std::size_t>);

}  // namespace matrix_multiply
