#include "11_matrix_multiply/eight_bound.h"
#include "11_matrix_multiply/quantized_matrices.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "testing.h"

using matrix_multiply::DeviceMatrix;
using matrix_multiply::E4m3;
using matrix_multiply::E4m3Blocks;
using matrix_multiply::E5m2;
using matrix_multiply::EightLaunch;
using matrix_multiply::ExactRows;
using matrix_multiply::Int8;
using matrix_multiply::Matrix;
using matrix_multiply::Quantized;
using matrix_multiply::QuantizedMatrices;
using matrix_multiply::QuantizedOnHost;
using matrix_multiply::Rows;
using matrix_multiply::Shape;

namespace {

using Floats = std::vector<float>;

/// All positive finite numbers of a format, in ascending order.
template <class F>
Floats all_numbers() {
    Floats all;
    if constexpr (std::is_same_v<F, Int8>) {
        for (int x = 0; x <= 127; ++x) all.push_back(static_cast<float>(x));
    } else {
        for (int part = 0; part < 1 << F::fraction_bits; ++part)
            all.push_back(std::ldexp(static_cast<float>(part), F::smallest_exponent - F::fraction_bits));
        for (int exponent = F::smallest_exponent; all.back() < F::largest; ++exponent)
            for (int part = 0; part < 1 << F::fraction_bits && all.back() < F::largest; ++part)
                all.push_back(std::ldexp(1 + static_cast<float>(part) / (1 << F::fraction_bits), exponent));
    }
    return all;
}

/// The nearest of them, by trying: of two that are as near the one at the even place.
template <class F>
float nearest(float x) {
    static const Floats all = all_numbers<F>();
    std::size_t best = 0;
    for (std::size_t at = 1; at < all.size(); ++at) {
        const double distance = std::abs(double{all[at]} - std::abs(double{x})),
                     of_best = std::abs(double{all[best]} - std::abs(double{x}));
        if (distance < of_best || (distance == of_best && at % 2 == 0)) best = at;
    }
    return std::copysign(all[best], x);
}

template <class F>
QuantizedMatrices<F> on_device(const Floats& a, const Floats& b, Shape shape, Rows layout = Rows::dense) {
    DeviceMatrix<float> d_a(shape.m, shape.k, layout), d_b(shape.k, shape.n, layout);
    d_a.copy_from(a);
    d_b.copy_from(b);
    QuantizedMatrices<F> matrices(shape);
    matrices.poison();
    matrices.quantize(std::as_const(d_a).view(), std::as_const(d_b).view());
    CUDA_CHECK(cudaDeviceSynchronize());
    return matrices;
}

/// What a stage makes of them, from poisoned memory; and that it leaves alone what lies around c and between its rows.
template <class F>
std::vector<typename F::Sum> product_on_device(EightLaunch<F>* multiply, const QuantizedMatrices<F>& matrices,
                                               std::size_t gap = 0, std::size_t begin = 64) {
    using Sum = typename F::Sum;
    const auto [m, k, n] = matrices.view().shape;
    const std::size_t stride = n + gap;
    auto memory = poisoned<Sum>(m * stride + 128);
    multiply(matrices.view(), {memory.data() + begin, m, n, stride});
    CUDA_CHECK(cudaDeviceSynchronize());

    std::vector<Sum> c;
    std::size_t touched = 0;
    const std::vector<Sum> all = memory.to_host();
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (at >= begin && at < begin + m * stride && (at - begin) % stride < n)
            c.push_back(all[at]);
        else
            touched += std::bit_cast<std::uint32_t>(all[at]) != 0xffffffff;
    }
    REQUIRE(touched == 0);
    return c;
}

/// Those that can run here: the emulator has no wgmma for FP8.
template <class F>
auto stages_here() {
    auto stages = on_device(matrix_multiply::eight_stages<F>);
    if (std::is_same_v<F, Int8> || matrix_multiply::block_scales_is_compiled()) return stages;
    std::erase_if(stages, [](const auto& stage) { return stage.needs == warpgroup_mma; });
    return stages;
}

/// Whole numbers from -3 to 3, and one of the largest number of the format in each row of a and column of b for every
/// 128 of k, so that all scales are 1. These meet zeros: a[i][l] and b[l][j] are 0 where the other one is so large.
template <class F>
std::pair<Floats, Floats> whole_numbers(Shape shape) {
    const auto [m, k, n] = shape;
    Floats a(m * k), b(k * n);
    const auto random = random_values<std::uint32_t>(a.size() + b.size());
    const auto small = [&](std::size_t at) { return static_cast<float>(random[at] % 7) - 3; };
    for (std::size_t at = 0; at < a.size(); ++at) a[at] = small(at);
    for (std::size_t at = 0; at < b.size(); ++at) b[at] = small(a.size() + at);
    for (std::size_t l = 0; l < k; l += 128) {
        const bool both = l + 1 < k;
        for (std::size_t i = 0; i < shape.m; ++i) {
            a[i * shape.k + l] = F::largest;
            if (both) a[i * shape.k + l + 1] = 0;
        }
        for (std::size_t j = 0; j < shape.n; ++j) {
            b[l * shape.n + j] = 0;
            if (both) b[(l + 1) * shape.n + j] = F::largest;
        }
    }
    return {a, b};
}

/// The definition, one product after another.
std::vector<double> product(const Floats& a, const Floats& b, Shape shape) {
    const auto [m, k, n] = shape;
    std::vector<double> c(m * n);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t l = 0; l < k; ++l)
            for (std::size_t j = 0; j < n; ++j) c[i * n + j] += double{a[i * k + l]} * b[l * n + j];
    return c;
}

std::vector<std::size_t> all_rows(std::size_t m) {
    return matrix_multiply::rows_to_verify(m, m);
}

/// "" if every element is within its bound, else the first that is not. A NaN never is.
template <class T>
std::string first_wrong(const std::vector<T>& actual, const ExactRows& exact) {
    for (std::size_t at = 0; at < exact.c.size(); ++at)
        if (!(std::abs(actual[at] - exact.c[at]) <= exact.bound[at]))
            return "element " + std::to_string(at) + ": expected " + std::to_string(exact.c[at]) + ", got " +
                   std::to_string(actual[at]);
    return "";
}

// Around fragments, slices and tiles, primes, and strips in every direction. A slice has 128 numbers of k: a k beyond
// several of them uses every buffer again.
auto awkward_shape() {
    return GENERATE(
        values<Shape>({{1, 1, 1},      {2, 2, 2},      {7, 9, 8},       {15, 16, 17},   {31, 31, 31},   {32, 32, 32},
                       {33, 33, 33},   {64, 128, 64},  {65, 129, 63},   {127, 31, 127}, {128, 32, 128}, {129, 127, 129},
                       {3, 1050, 19},  {300, 1, 1},    {1, 1, 300},     {31, 509, 37},  {131, 17, 257}, {257, 131, 17},
                       {17, 257, 131}, {200, 96, 130}, {130, 1000, 260}}));
}

}  // namespace

TEMPLATE_TEST_CASE("every stage for eight bits takes every element once", "[11_matrix_multiply]", Int8, E4m3, E5m2,
                   E4m3Blocks) {
    const Shape shape = awkward_shape();
    CAPTURE(shape.m, shape.k, shape.n);
    const auto [a, b] = whole_numbers<TestType>(shape);
    const auto exact = product(a, b, shape);
    const std::vector<typename TestType::Sum> expected(exact.begin(), exact.end());
    const auto matrices = on_device<TestType>(a, b, shape);
    for (const auto& stage : stages_here<TestType>()) {
        CAPTURE(stage.name);
        twice([&] { REQUIRE_SAME(product_on_device<TestType>(stage.launch, matrices), expected); });
        REQUIRE_SAME(product_on_device<TestType>(stage.launch, matrices, 3, 65), expected);
    }
}

TEMPLATE_TEST_CASE("every stage for eight bits is within its bound", "[11_matrix_multiply]", Int8, E4m3, E5m2,
                   E4m3Blocks) {
    const Shape shape = GENERATE(values<Shape>({{1, 1, 1}, {33, 31, 35}, {70, 1000, 68}, {129, 500, 131}}));
    CAPTURE(shape.m, shape.k, shape.n);
    const Floats a = random_values<float>(shape.m * shape.k), b = random_values<float>(shape.k * shape.n);
    const auto matrices = on_device<TestType>(a, b, shape);
    const auto exact = exact_rows(matrix_multiply::quantized_on_host<TestType>(a, b, shape), all_rows(shape.m));
    for (const auto& stage : stages_here<TestType>()) {
        CAPTURE(stage.name);
        auto c = product_on_device<TestType>(stage.launch, matrices);
        REQUIRE(first_wrong(c, exact) == "");
        // The bound is so narrow that it sees the rounding of the factors, and where no product was added at all.
        if (shape.k > 1) REQUIRE(first_wrong(c, {exact.rows, product(a, b, shape), exact.bound}) != "");
        std::fill(c.begin(), c.end(), typename TestType::Sum{});
        REQUIRE(first_wrong(c, exact) != "");
    }
}

TEMPLATE_TEST_CASE("eight bits: one element of a and one of b meet wherever they are", "[11_matrix_multiply]", Int8,
                   E4m3, E5m2, E4m3Blocks) {
    const auto l = GENERATE(as<std::size_t>{}, 0, 1, 15, 16, 31, 32, 63, 64, 127, 128, 129, 255, 256);
    CAPTURE(l);
    const Shape shape{70, 257, 67};
    Floats a(shape.m * shape.k), b(shape.k * shape.n);
    std::vector<typename TestType::Sum> expected(shape.m * shape.n);
    a[69 * shape.k + l] = 1;
    b[l * shape.n + 66] = 1;
    const auto largest = static_cast<typename TestType::Sum>(TestType::largest);
    expected[69 * shape.n + 66] = std::is_same_v<TestType, Int8> ? largest * largest : 1;
    const auto matrices = on_device<TestType>(a, b, shape);
    for (const auto& stage : stages_here<TestType>()) {
        CAPTURE(stage.name);
        auto c = product_on_device<TestType>(stage.launch, matrices);
        auto& one = c[69 * shape.n + 66];
        if (std::abs(one - expected[69 * shape.n + 66]) <= 1e-6) one = expected[69 * shape.n + 66];  // of the scales
        REQUIRE_SAME(c, expected);
    }
}

TEMPLATE_TEST_CASE("eight bits: nothing to add up gives zeros, and no rows or columns give nothing",
                   "[11_matrix_multiply]", Int8, E4m3, E5m2, E4m3Blocks) {
    const auto shape = GENERATE(values<Shape>({{3, 0, 5}, {0, 3, 5}, {5, 3, 0}, {0, 0, 0}}));
    CAPTURE(shape.m, shape.k, shape.n);
    const auto matrices =
        on_device<TestType>(random_values<float>(shape.m * shape.k), random_values<float>(shape.k * shape.n), shape);
    for (const auto& stage : stages_here<TestType>()) {
        CAPTURE(stage.name);
        REQUIRE_SAME(product_on_device<TestType>(stage.launch, matrices, 1),
                     std::vector<typename TestType::Sum>(shape.m * shape.n, 0));
    }
}

TEMPLATE_TEST_CASE("a NaN in a row of FP8 stays in its row", "[11_matrix_multiply]", E4m3, E5m2, E4m3Blocks) {
    const Shape shape{70, 200, 40};
    auto [a, b] = whole_numbers<TestType>(shape);
    const auto exact = product(a, b, shape);
    a[69 * shape.k + 150] = std::numeric_limits<float>::quiet_NaN();
    const auto matrices = on_device<TestType>(a, b, shape);
    for (const auto& stage : stages_here<TestType>()) {
        CAPTURE(stage.name);
        const auto c = product_on_device<TestType>(stage.launch, matrices);
        for (std::size_t at = 0; at < c.size(); ++at)
            if (!(at / shape.n == 69 ? std::isnan(c[at]) : c[at] == exact[at])) FAIL("element " << at << ": " << c[at]);
    }
}

TEMPLATE_TEST_CASE("quantizing takes the nearest, transposes b and pads with zeros", "[11_matrix_multiply]", Int8, E4m3,
                   E5m2, E4m3Blocks) {
    const auto shape = GENERATE(values<Shape>({{1, 1, 1}, {31, 33, 32}, {129, 65, 127}, {3, 405, 1}, {20, 131, 5}}));
    const auto layout = GENERATE(Rows::dense, Rows::pitched);
    const auto [m, k, n] = shape;
    CAPTURE(m, k, n);
    Floats a = random_values<float>(m * k), b = random_values<float>(k * n);
    for (auto* matrix : {&a, &b})  // of many magnitudes, some of them 0
        for (std::size_t at = 0; at < matrix->size(); ++at)
            (*matrix)[at] = at % 11 == 3 ? 0 : std::ldexp((*matrix)[at], -static_cast<int>(at % 17));
    const auto matrices = on_device<TestType>(a, b, shape, layout);
    const Quantized<TestType> view = matrices.view();
    REQUIRE(view.a.rows == matrix_multiply::round_up(m, matrix_multiply::eight_padding));
    REQUIRE(view.b_transposed.rows == matrix_multiply::round_up(n, matrix_multiply::eight_padding));
    REQUIRE(view.a.stride == matrix_multiply::round_up(k, matrix_multiply::block_depth));
    REQUIRE(view.b_transposed.stride == view.a.stride);

    const std::size_t depth = TestType::by_blocks ? matrix_multiply::block_depth : k;
    const auto scale = [&](const Floats& numbers, std::size_t first, std::size_t step, std::size_t l) {
        float largest = 0;
        for (std::size_t at = l / depth * depth; at < std::min(shape.k, (l / depth + 1) * depth); ++at)
            largest = std::max(largest, std::abs(numbers[first + at * step]));
        return largest == 0 ? 1.0f : largest / TestType::largest;
    };
    Floats expected_a(view.a.rows * view.a.stride), expected_b(view.b_transposed.rows * view.a.stride);
    for (std::size_t l = 0; l < k; ++l) {
        for (std::size_t i = 0; i < m; ++i)
            expected_a[i * view.a.stride + l] = nearest<TestType>(a[i * k + l] / scale(a, i * k, 1, l));
        for (std::size_t j = 0; j < n; ++j)
            expected_b[j * view.a.stride + l] = nearest<TestType>(b[l * n + j] / scale(b, j, n, l));
    }
    const auto to_host = [](auto matrix) {
        std::vector<std::remove_const_t<std::remove_pointer_t<decltype(matrix.data)>>> values(matrix.rows *
                                                                                              matrix.stride);
        CUDA_CHECK(cudaMemcpy(values.data(), matrix.data, values.size() * sizeof values[0], cudaMemcpyDeviceToHost));
        Floats floats(values.size());
        std::transform(values.begin(), values.end(), floats.begin(), [](auto x) { return static_cast<float>(x); });
        return floats;
    };
    REQUIRE_SAME(to_host(view.a), expected_a);
    REQUIRE_SAME(to_host(view.b_transposed), expected_b);
    const Floats a_scales = to_host(view.a_scales), b_scales = to_host(view.b_scales);
    for (std::size_t l = 0; l < k; l += depth) {
        const std::size_t block = l / depth;
        for (std::size_t i = 0; i < m; ++i)
            REQUIRE(a_scales[block * view.a_scales.stride + i] == scale(a, i * k, 1, l));
        for (std::size_t j = 0; j < n; ++j) REQUIRE(b_scales[block * view.b_scales.stride + j] == scale(b, j, n, l));
    }

    // The host's, which the program compares with, is the same.
    const auto on_host = matrix_multiply::quantized_on_host<TestType>(a, b, shape);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t l = 0; l < k; ++l) REQUIRE(on_host.a[i * k + l] == expected_a[i * view.a.stride + l]);
    for (std::size_t l = 0; l < k; ++l)
        for (std::size_t j = 0; j < n; ++j) REQUIRE(on_host.b[l * n + j] == expected_b[j * view.a.stride + l]);
}

TEMPLATE_TEST_CASE("the change by quantizing is within its bound", "[11_matrix_multiply]", Int8, E4m3, E5m2,
                   E4m3Blocks) {
    const Shape shape{3, 300, 5};
    Floats a(shape.m * shape.k), b(shape.k * shape.n);
    // Just below halfway between a number and the next one, where the scale is 1: a large number in each block sees to
    // it.
    float halfway = 1.4999f;
    if constexpr (!std::is_same_v<TestType, Int8>) halfway = 1 + std::ldexp(0.9999f, -TestType::fraction_bits - 1);
    std::fill(a.begin(), a.end(), halfway);
    std::fill(b.begin(), b.end(), halfway);
    for (std::size_t l = 0; l < shape.k; l += 128) {
        for (std::size_t i = 0; i < shape.m; ++i) a[i * shape.k + l] = TestType::largest;
        for (std::size_t j = 0; j < shape.n; ++j) b[l * shape.n + j] = TestType::largest;
    }
    const auto quantized = matrix_multiply::quantized_on_host<TestType>(a, b, shape);
    const ExactRows original = matrix_multiply::original_rows<TestType>(a, b, quantized, all_rows(shape.m));
    const ExactRows exact = exact_rows(quantized, all_rows(shape.m));
    for (std::size_t at = 0; at < exact.c.size(); ++at) {
        const double scale = std::is_same_v<TestType, Int8>
                                 ? double{quantized.a_scales[at / shape.n]} * quantized.b_scales[at % shape.n]
                                 : 1.0;
        const double change = std::abs(exact.c[at] * scale - original.c[at]);
        CAPTURE(at, change, original.bound[at]);
        REQUIRE(change <= original.bound[at]);
        REQUIRE(change > 0.5 * (std::pow(halfway, 2) - 1) * (300 - 3));  // every other factor is rounded to 1
    }
}

TEST_CASE("rows to verify are all, or the first, the last and some between", "[11_matrix_multiply]") {
    REQUIRE(matrix_multiply::rows_to_verify(3, 5) == std::vector<std::size_t>{0, 1, 2});
    REQUIRE(matrix_multiply::rows_to_verify(100, 4) == std::vector<std::size_t>{0, 33, 66, 99});
    REQUIRE(matrix_multiply::rows_to_verify(0, 4).empty());
}

TEMPLATE_TEST_CASE("matrices of eight bits that do not fit are usage errors", "[11_matrix_multiply]", Int8, E4m3, E5m2,
                   E4m3Blocks) {
    QuantizedMatrices<TestType> matrices(Shape{4, 5, 6});
    DeviceMatrix<float> a(4, 5, Rows::dense), b(5, 6, Rows::dense), other(5, 5, Rows::dense);
    REQUIRE(complaint([&] { matrices.quantize(other.view(), b.view()); }).find("another shape") != std::string::npos);
    REQUIRE(complaint([&] { matrices.quantize(a.view(), other.view()); }).find("another shape") != std::string::npos);
    DeviceMatrix<typename TestType::Sum> too_wide(4, 7, Rows::dense), too_high(5, 6, Rows::dense);
    for (const auto& stage : stages_here<TestType>()) {
        CAPTURE(stage.name);
        REQUIRE(complaint([&] { stage.launch(matrices.view(), too_wide.view()); }) ==
                "a product of 4x6 does not fit in a matrix of 4x7");
        REQUIRE(complaint([&] { stage.launch(matrices.view(), too_high.view()); }) ==
                "a product of 4x6 does not fit in a matrix of 5x6");
    }
}

TEST_CASE("eight_bits shows quantizing and every stage, for all formats", "[11_matrix_multiply]") {
    const Outcome result = run(program("11_matrix_multiply", "eight_bits") + " --repeat 1 --m 40 --k 200 --n 30");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    std::size_t place = 0;
    const auto next = [&](const std::string& line) {
        CAPTURE(line);
        place = result.out.find(line, place);
        REQUIRE(place != std::string::npos);
    };
    for (const std::string type : {"INT8", "E4M3", "E5M2", "E4M3 in blocks"}) {
        next("\nQuantizing to " + type + ", 40 × 200 times 200 × 30\n");
        next("\nquantize ");
        next("\n" + type + ", 40 × 200 times 200 × 30\n");
        next("\nq0_cpu ");
        next("\nq2_mma ");
    }
}

TEST_CASE("eight_bits says in a line what it can't do", "[11_matrix_multiply]") {
    const Outcome result = run(program("11_matrix_multiply", "eight_bits") + " --m 1 --n 1 --k 200000");
    CAPTURE(result.err);
    REQUIRE(result.exit_code == 2);
    REQUIRE(result.err.find("may not fit into an int") != std::string::npos);
    REQUIRE(run(program("11_matrix_multiply", "eight_bits") + " --n 33 --stage q3/wide").exit_code == 0);
}
