#include "11_matrix_multiply/error_bound.h"
#include "11_matrix_multiply/packed_matrices.h"
#include "11_matrix_multiply/rounded_matrices.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "testing.h"

using matrix_multiply::Bf16;
using matrix_multiply::DeviceMatrix;
using matrix_multiply::ErrorBound;
using matrix_multiply::Matrix;
using matrix_multiply::Rounded;
using matrix_multiply::RoundedLaunch;
using matrix_multiply::RoundedMatrices;
using matrix_multiply::Rows;
using matrix_multiply::Shape;
using matrix_multiply::Sums;

namespace {

using Floats = std::vector<float>;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// The nearest number with `bits` bits of fraction, for a normal x: adds half a unit, and cuts off.
float rounded_to(unsigned bits, bool ties_to_even, float x) {
    const unsigned cut = 23 - bits, half = 1u << (cut - 1);
    const auto pattern = std::bit_cast<std::uint32_t>(x);
    const unsigned added = ties_to_even ? half - 1 + (pattern >> cut & 1) : half;
    return std::bit_cast<float>((pattern + added) >> cut << cut);
}

template <class T>
Floats rounded(Floats values) {
    constexpr bool is_tf32 = std::is_same_v<T, float>;
    for (float& value : values) value = rounded_to(is_tf32 ? 10 : 7, !is_tf32, value);
    return values;
}

/// The definition, in double, one product after another.
std::vector<double> product(const Floats& a, const Floats& b, Shape shape) {
    const auto [m, k, n] = shape;
    std::vector<double> c(m * n);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t l = 0; l < k; ++l)
            for (std::size_t j = 0; j < n; ++j) c[i * n + j] += double{a[i * k + l]} * b[l * n + j];
    return c;
}

/// Rounds a and b into poisoned memory.
template <class T>
RoundedMatrices<T> on_device(const Floats& a, const Floats& b, Shape shape, Rows layout = Rows::dense) {
    DeviceMatrix<float> d_a(shape.m, shape.k, layout), d_b(shape.k, shape.n, layout);
    d_a.copy_from(a);
    d_b.copy_from(b);
    RoundedMatrices<T> matrices(shape, true);
    matrices.poison();
    matrices.round(d_a.view(), d_b.view());
    CUDA_CHECK(cudaDeviceSynchronize());
    return matrices;
}

/// What a stage makes of them, from poisoned memory; and that it leaves alone what lies around c and between its rows.
/// gap: elements between the end of a row and the next one. begin: where c begins, in elements.
template <class T>
Floats product_on_device(RoundedLaunch<T>* multiply, const RoundedMatrices<T>& matrices, std::size_t gap = 0,
                         std::size_t begin = 64) {
    const auto [m, k, n] = matrices.view().shape;
    const std::size_t stride = n + gap;
    auto memory = poisoned<float>(m * stride + 128);
    multiply(matrices.view(), {memory.data() + begin, m, n, stride});
    CUDA_CHECK(cudaDeviceSynchronize());

    Floats c;
    std::size_t touched = 0;
    const Floats all = memory.to_host();
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (at >= begin && at < begin + m * stride && (at - begin) % stride < n)
            c.push_back(all[at]);
        else
            touched += std::bit_cast<std::uint32_t>(all[at]) != 0xffffffff;
    }
    REQUIRE(touched == 0);
    return c;
}

template <class T>
auto stages_here() {
    return on_device(matrix_multiply::tensor_stages<T>);
}

/// Whole numbers so small that a float holds every sum of a few thousand products, and TF32 and BF16 hold them.
Floats small_whole_numbers(std::size_t n) {
    Floats values(n);
    const auto random = random_values<std::uint32_t>(n);
    std::transform(random.begin(), random.end(), values.begin(), [](std::uint32_t r) { return r % 15 - 7.0f; });
    return values;
}

/// "" if every element is within its bound, else the first that is not. A NaN never is.
std::string first_wrong(const Floats& actual, const Floats& a, const Floats& b, Shape shape) {
    const ErrorBound bound(a, b, shape, Sums::cut_off);
    const auto expected = product(a, b, shape);
    for (std::size_t index = 0; index < expected.size(); ++index) {
        const std::size_t i = index / shape.n, j = index % shape.n;
        if (!(std::abs(actual[index] - expected[index]) <= bound(i, j)))
            return "row " + std::to_string(i) + ", column " + std::to_string(j) + ": expected " +
                   std::to_string(expected[index]) + ", got " + std::to_string(actual[index]);
    }
    return "";
}

// Around fragments, slices and tiles, primes, and strips in every direction. 32 and 64 are the depths of slices: a k
// beyond several of them uses every buffer again.
auto awkward_shape() {
    return GENERATE(values<Shape>(
        {{1, 1, 1},      {2, 2, 2},     {7, 9, 8},    {15, 16, 17},   {16, 8, 16},    {31, 31, 31},   {32, 32, 32},
         {33, 33, 33},   {63, 63, 63},  {64, 64, 64}, {65, 65, 65},   {127, 31, 127}, {128, 32, 128}, {129, 33, 129},
         {1, 1000, 1},   {3, 2050, 19}, {300, 1, 1},  {1, 1, 300},    {31, 1009, 37}, {131, 17, 257}, {257, 131, 17},
         {17, 257, 131}, {5, 64, 300},  {300, 65, 6}, {200, 96, 130}, {64, 192, 64},  {64, 193, 64},  {66, 320, 129}}));
}

}  // namespace

TEMPLATE_TEST_CASE("every tensor core stage takes every element once", "[11_matrix_multiply]", float, Bf16) {
    const Shape shape = awkward_shape();
    const auto [m, k, n] = shape;
    CAPTURE(m, k, n);
    const Floats a = small_whole_numbers(m * k), b = small_whole_numbers(k * n);
    const auto exact = product(a, b, shape);
    const Floats expected(exact.begin(), exact.end());
    const auto matrices = on_device<TestType>(a, b, shape);
    for (const auto& stage : stages_here<TestType>()) {
        CAPTURE(stage.name);
        twice([&] { REQUIRE_SAME(product_on_device(stage.launch, matrices), expected); });
        REQUIRE_SAME(product_on_device(stage.launch, matrices, 3, 65), expected);  // no row begins where two floats do
    }
}

TEMPLATE_TEST_CASE("every tensor core stage is within the bound of sums that are cut off", "[11_matrix_multiply]",
                   float, Bf16) {
    const Shape shape = GENERATE(values<Shape>({{1, 1, 1}, {33, 31, 35}, {70, 1000, 68}, {129, 500, 131}}));
    const auto [m, k, n] = shape;
    CAPTURE(m, k, n);
    const Floats a = random_values<float>(m * k), b = random_values<float>(k * n);
    const auto matrices = on_device<TestType>(a, b, shape);
    for (const auto& stage : stages_here<TestType>()) {
        CAPTURE(stage.name);
        const Floats c = product_on_device(stage.launch, matrices);
        REQUIRE(first_wrong(c, rounded<TestType>(a), rounded<TestType>(b), shape) == "");
        if (k == 31) REQUIRE(first_wrong(c, a, b, shape) != "");  // the bound is so narrow that it sees the rounding
    }
}

TEMPLATE_TEST_CASE("one element of a and one of b meet wherever they are", "[11_matrix_multiply]", float, Bf16) {
    const auto l = GENERATE(as<std::size_t>{}, 0, 1, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 129);
    CAPTURE(l);
    const Shape shape{70, 130, 67};
    Floats a(shape.m * shape.k), b(shape.k * shape.n), expected(shape.m * shape.n);
    a[69 * shape.k + l] = 3;
    b[l * shape.n + 66] = 5;
    expected[69 * shape.n + 66] = 15;
    const auto matrices = on_device<TestType>(a, b, shape);
    for (const auto& stage : stages_here<TestType>()) {
        CAPTURE(stage.name);
        REQUIRE_SAME(product_on_device(stage.launch, matrices), expected);
    }
}

TEMPLATE_TEST_CASE("NaNs and infinities stay in their row and column on tensor cores", "[11_matrix_multiply]", float,
                   Bf16) {
    const Shape shape{133, 37, 131};
    Floats a = small_whole_numbers(shape.m * shape.k), b = small_whole_numbers(shape.k * shape.n);
    for (auto* matrix : {&a, &b})
        for (float& element : *matrix) element = std::abs(element) + 1;
    a[130 * shape.k + 36] = not_a_number;
    b[35 * shape.n + 129] = infinity;
    const auto matrices = on_device<TestType>(a, b, shape);
    const auto expected = product(a, b, shape);
    for (const auto& stage : stages_here<TestType>()) {
        const Floats c = product_on_device(stage.launch, matrices);
        for (std::size_t i = 0; i < shape.m; ++i)
            for (std::size_t j = 0; j < shape.n; ++j) {
                const float actual = c[i * shape.n + j];
                const bool right = i == 130   ? std::isnan(actual)
                                   : j == 129 ? actual == infinity
                                              : actual == expected[i * shape.n + j];
                if (!right) FAIL(stage.name << ": row " << i << ", column " << j << ": " << actual);
            }
    }
}

TEMPLATE_TEST_CASE("tensor cores: nothing to add up gives zeros, and no rows or columns give nothing",
                   "[11_matrix_multiply]", float, Bf16) {
    const auto shape = GENERATE(values<Shape>({{3, 0, 5}, {0, 3, 5}, {5, 3, 0}, {0, 0, 0}}));
    CAPTURE(shape.m, shape.k, shape.n);
    const auto matrices =
        on_device<TestType>(random_values<float>(shape.m * shape.k), random_values<float>(shape.k * shape.n), shape);
    for (const auto& stage : stages_here<TestType>()) {
        CAPTURE(stage.name);
        REQUIRE_SAME(product_on_device(stage.launch, matrices, 1), Floats(shape.m * shape.n, 0));
    }
}

TEMPLATE_TEST_CASE("rounding takes the nearest, transposes b and pads with zeros", "[11_matrix_multiply]", float,
                   Bf16) {
    const auto shape = GENERATE(values<Shape>({{1, 1, 1}, {31, 33, 32}, {129, 65, 127}, {3, 205, 1}, {200, 31, 5}}));
    const auto layout = GENERATE(Rows::dense, Rows::pitched);
    const auto [m, k, n] = shape;
    CAPTURE(m, k, n);
    const auto any_bits = [](std::size_t count) {  // of any normal magnitude; every fourth one is halfway between two
        Floats values(count);
        const auto patterns = random_values<std::uint32_t>(count);
        constexpr unsigned cut = std::is_same_v<TestType, float> ? 13 : 16;
        for (std::size_t at = 0; at < count; ++at) {
            std::uint32_t bits = (patterns[at] & 0xbfffffff) | 0x00800000;
            if (at % 4 == 0) bits = bits >> cut << cut | 1u << (cut - 1);
            values[at] = std::bit_cast<float>(bits);
        }
        return values;
    };
    const Floats a = any_bits(m * k), b = any_bits(k * n);
    const auto matrices = on_device<TestType>(a, b, shape, layout);
    const Rounded<TestType> view = matrices.view();
    REQUIRE(view.a.rows == matrix_multiply::round_up(m, matrix_multiply::rounded_padding));
    REQUIRE(view.b_transposed.rows == matrix_multiply::round_up(n, matrix_multiply::rounded_padding));
    REQUIRE(view.a.stride == matrix_multiply::round_up(k, matrix_multiply::slice_depth<TestType>));
    REQUIRE(view.b_transposed.stride == view.a.stride);

    const Floats rounded_a = rounded<TestType>(a), rounded_b = rounded<TestType>(b);
    Floats expected_a(view.a.rows * view.a.stride), expected_b(view.b_transposed.rows * view.a.stride);
    for (std::size_t l = 0; l < k; ++l) {
        for (std::size_t i = 0; i < m; ++i) expected_a[i * view.a.stride + l] = rounded_a[i * k + l];
        for (std::size_t j = 0; j < n; ++j) expected_b[j * view.a.stride + l] = rounded_b[l * n + j];
    }
    const auto to_host = [](Matrix<const TestType> matrix) {
        std::vector<TestType> values(matrix.rows * matrix.stride);
        CUDA_CHECK(cudaMemcpy(values.data(), matrix.data, values.size() * sizeof(TestType), cudaMemcpyDeviceToHost));
        return Floats(values.begin(), values.end());
    };
    REQUIRE_SAME(to_host(view.a), expected_a);
    REQUIRE_SAME(to_host(view.b_transposed), expected_b);
    Floats expected_as_is(view.b.rows * view.b.stride);
    for (std::size_t l = 0; l < k; ++l)
        for (std::size_t j = 0; j < n; ++j) expected_as_is[l * view.b.stride + j] = rounded_b[l * n + j];
    REQUIRE_SAME(to_host(view.b), expected_as_is);
}

TEMPLATE_TEST_CASE("rounding on the host", "[11_matrix_multiply]", float, Bf16) {
    for (const float x : random_values<float>(1000)) {
        CAPTURE(x);
        REQUIRE(matrix_multiply::rounded_on_host<TestType>(x) == rounded<TestType>(Floats{x})[0]);
    }
    constexpr int bits = matrix_multiply::fraction_bits<TestType>;
    const float unit = std::ldexp(1.0f, -bits);
    REQUIRE(matrix_multiply::rounded_on_host<TestType>(1 + unit / 2) == (bits == 10 ? 1 + unit : 1));
    REQUIRE(matrix_multiply::rounded_on_host<TestType>(-1 - 3 * unit / 2) == -1 - 2 * unit);
    REQUIRE(matrix_multiply::rounded_on_host<TestType>(0) == 0);
}

TEMPLATE_TEST_CASE("rounded matrices that do not fit are usage errors", "[11_matrix_multiply]", float, Bf16) {
    RoundedMatrices<TestType> matrices(Shape{4, 5, 6});
    DeviceMatrix<float> a(4, 5, Rows::dense), b(5, 6, Rows::dense), other(5, 5, Rows::dense);
    REQUIRE(complaint([&] { matrices.round(other.view(), b.view()); }).find("another shape") != std::string::npos);
    REQUIRE(complaint([&] { matrices.round(a.view(), other.view()); }).find("another shape") != std::string::npos);
    DeviceMatrix<float> too_wide(4, 7, Rows::dense), too_high(5, 6, Rows::dense);
    for (const auto& stage : stages_here<TestType>()) {
        CAPTURE(stage.name);
        REQUIRE(complaint([&] { stage.launch(matrices.view(), too_wide.view()); }) ==
                "a product of 4x6 does not fit in a matrix of 4x7");
        REQUIRE(complaint([&] { stage.launch(matrices.view(), too_high.view()); }) ==
                "a product of 4x6 does not fit in a matrix of 5x6");
    }
}

TEST_CASE("the bounds of cut off sums and of rounded factors", "[11_matrix_multiply]") {
    const Shape shape{2, 1000, 3};
    const Floats a(shape.m * shape.k, 1.0f), b(shape.k * shape.n, -1.0f);
    const double ku = 1000 * 0x1p-23;
    REQUIRE(std::abs(ErrorBound(a, b, shape, Sums::cut_off)(1, 2) / (ku / (1 - ku) * 1000) - 1) < 1e-6);
    for (const unsigned bits : {7u, 10u}) {
        // The worst case: all factors just below halfway, or just above.
        const float worst = 1 + std::ldexp(1.0f, -static_cast<int>(bits) - 1);
        const Floats up(shape.m * shape.k, worst), across(shape.k * shape.n, worst);
        const double change =
            1000 * (std::pow(1 + std::ldexp(1.0, -static_cast<int>(bits)), 2) - double{worst} * worst);
        const double bound = ErrorBound::of_rounded_factors(up, across, shape, bits)(0, 0);
        CAPTURE(bits, change, bound);
        REQUIRE((change <= bound && bound < 1.01 * change));
    }
}

TEST_CASE("matrix_multiply --tensor shows rounding and every stage, for both types", "[11_matrix_multiply]") {
    const Outcome result = run(program("11_matrix_multiply", "matrix_multiply") + " --tensor --a 40x100 --b 100x30");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    std::size_t place = 0;
    for (const std::string type : {"TF32", "BF16"}) {
        for (const std::string& line :
             {"\nRounding to " + type + ", 40 × 100 times 100 × 30\n", std::string("\nround "),
              "\n" + type + ", 40 × 100 times 100 × 30\n", std::string("\nt0_cpu ")}) {
            CAPTURE(line);
            place = result.out.find(line, place);
            REQUIRE(place != std::string::npos);
        }
        for (const auto& stage : stages_here<float>()) {
            CAPTURE(stage.name);
            place = result.out.find(row_of(stage.name), place);
            REQUIRE(place != std::string::npos);
        }
    }
    REQUIRE(result.out.find("Floats") == std::string::npos);
}

TEST_CASE("matrix_multiply runs one tensor core stage when it is asked for", "[11_matrix_multiply]") {
    const auto [asked, shown, hidden] = GENERATE(table<std::string, std::string, std::string>({
        {"t1", "\nt1_wmma ", "\nround "},
        {"round", "\nround ", "\nt1_wmma "},
    }));
    const Outcome result =
        run(program("11_matrix_multiply", "matrix_multiply") + " --n 33 --repeat 1 --stage " + asked);
    CAPTURE(asked, result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.find(shown) != std::string::npos);
    REQUIRE(result.out.find(hidden) == std::string::npos);
}
