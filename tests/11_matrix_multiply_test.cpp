#include "11_matrix_multiply/error_bound.h"
#include "11_matrix_multiply/packed_matrices.h"
#include "11_matrix_multiply/rounded_matrices.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <initializer_list>
#include <set>
#include <utility>

#include "common/device.h"
#include "testing.h"

using matrix_multiply::ErrorBound;
using matrix_multiply::Launch;
using matrix_multiply::Matrix;
using matrix_multiply::Rows;
using matrix_multiply::Shape;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// How a matrix lies in memory. Vector loads need rows that begin at multiples of 16 bytes.
enum class Layout {
    dense,    ///< no gaps: rows begin at such a multiple if the number of columns is one of 4
    aligned,  ///< all rows do, and there are gaps
    crooked,  ///< the first one does not
};

/// A matrix in device memory with NaNs before it, after it and between its rows.
class FencedMatrix {
  public:
    FencedMatrix(std::size_t rows, std::size_t columns, Layout layout)
        : rows_(rows),
          columns_(columns),
          stride_(layout == Layout::dense     ? columns
                  : layout == Layout::aligned ? (columns + 7) / 4 * 4
                                              : columns + 3),
          begin_(fence + (layout == Layout::crooked ? 1 : 0)),
          buffer_(poisoned<float>(rows * stride_ + 2 * fence)) {}

    FencedMatrix(std::size_t rows, std::size_t columns, Layout layout, const std::vector<float>& elements)
        : FencedMatrix(rows, columns, layout) {
        std::vector<float> all(buffer_.size(), not_a_number);
        for (std::size_t index = 0; index < elements.size(); ++index) all[place_of(index)] = elements[index];
        buffer_.copy_from(all);
    }

    Matrix<float> view() { return {buffer_.data() + begin_, rows_, columns_, stride_}; }

    /// The elements. Requires that all around them is still poisoned.
    std::vector<float> elements() const {
        std::vector<float> all = buffer_.to_host(), inside(rows_ * columns_);
        for (std::size_t index = 0; index < inside.size(); ++index)
            inside[index] = std::exchange(all[place_of(index)], not_a_number);
        REQUIRE(std::all_of(all.begin(), all.end(), [](float x) { return std::isnan(x); }));
        return inside;
    }

  private:
    static constexpr std::size_t fence = 256;

    std::size_t place_of(std::size_t index) const { return begin_ + index / columns_ * stride_ + index % columns_; }

    std::size_t rows_, columns_, stride_, begin_;
    DeviceBuffer<float> buffer_;
};

struct Layouts {
    Layout a, b, c;
};

std::vector<float> product_on_device(Launch* multiply, const std::vector<float>& a, const std::vector<float>& b,
                                     Shape shape, Layouts layouts = {}) {
    FencedMatrix d_a(shape.m, shape.k, layouts.a, a), d_b(shape.k, shape.n, layouts.b, b),
        d_c(shape.m, shape.n, layouts.c);
    multiply(d_a.view(), d_b.view(), d_c.view());
    CUDA_CHECK(cudaDeviceSynchronize());
    return d_c.elements();
}

/// The definition, once more and without the code that is tested.
std::vector<double> exact_product(const std::vector<float>& a, const std::vector<float>& b, Shape shape) {
    std::vector<double> c(shape.m * shape.n, 0);
    for (std::size_t i = 0; i < shape.m; ++i)
        for (std::size_t l = 0; l < shape.k; ++l)
            for (std::size_t j = 0; j < shape.n; ++j)
                c[i * shape.n + j] += double{a[i * shape.k + l]} * b[l * shape.n + j];
    return c;
}

/// Whole numbers so small that a float holds every sum of a few thousand products.
std::vector<float> small_whole_numbers(std::size_t n) {
    std::vector<float> values(n);
    const auto random = random_values<std::uint32_t>(n);
    std::transform(random.begin(), random.end(), values.begin(), [](std::uint32_t r) { return r % 15 - 7.0f; });
    return values;
}

/// Factors, and their product as both floats and doubles give it.
struct Exact {
    explicit Exact(Shape shape)
        : shape(shape), a(small_whole_numbers(shape.m * shape.k)), b(small_whole_numbers(shape.k * shape.n)) {
        std::vector<double> exact(shape.m * shape.n);
        matrix_multiply::cpu(a, b, shape, exact);
        c.assign(exact.begin(), exact.end());
    }

    void check(Launch* multiply, std::initializer_list<Layouts> all_layouts) const {
        for (const Layouts& layouts : all_layouts) {
            CAPTURE(layouts.a, layouts.b, layouts.c);
            twice([&] { REQUIRE_SAME(product_on_device(multiply, a, b, shape, layouts), c); });
        }
    }

    Shape shape;
    std::vector<float> a, b, c;
};

/// "" if every element is within its bound, else the first that is not. A NaN never is.
std::string first_wrong(const std::vector<float>& actual, const std::vector<float>& a, const std::vector<float>& b,
                        Shape shape) {
    const ErrorBound bound(a, b, shape);
    const auto expected = exact_product(a, b, shape);
    for (std::size_t index = 0; index < expected.size(); ++index) {
        const std::size_t i = index / shape.n, j = index % shape.n;
        if (!(std::abs(actual[index] - expected[index]) <= bound(i, j)))
            return "row " + std::to_string(i) + ", column " + std::to_string(j) + ": expected " +
                   std::to_string(expected[index]) + ", got " + std::to_string(actual[index]);
    }
    return "";
}

auto any_stage() {
    return Catch::Generators::from_range(on_device(matrix_multiply::stages));
}

// Around warps and tiles, primes, and strips in every direction. 16 and 32 are the depths of slices: a k beyond several
// of them uses every buffer again. 1024 of a row are in shared memory at once in 4_row_in_shared.
auto awkward_shape() {
    return GENERATE(
        values<Shape>({{1, 1, 1},      {2, 2, 2},      {31, 31, 31},   {32, 32, 32},   {33, 33, 33},   {63, 63, 63},
                       {127, 31, 127}, {128, 32, 128}, {129, 33, 129}, {1, 1000, 1},   {3, 2050, 100}, {1000, 1, 1},
                       {1, 1, 1000},   {3, 7, 5},      {31, 1009, 37}, {131, 17, 257}, {257, 131, 17}, {17, 257, 131},
                       {128, 8, 129},  {129, 15, 128}, {64, 16, 65},   {65, 47, 191},  {200, 48, 130}, {130, 49, 200},
                       {5, 64, 300},   {300, 65, 6},   {2, 100, 1000}, {1000, 100, 2}, {500, 2, 500}}));
}

/// Whether stage 16 cannot run here, which it says.
bool launches_may_not_overlap() {
    const std::string why = why_not_here(programmatic_launch);
    if (!why.empty()) WARN("skipped: 16_dependent_launch " + why);
    return !why.empty();
}

}  // namespace

TEST_CASE("every stage takes every element once", "[11_matrix_multiply]") {
    const Shape shape = awkward_shape();
    const Exact exact(shape);
    constexpr Layout dense = Layout::dense, aligned = Layout::aligned, crooked = Layout::crooked;
    for (const auto& stage : on_device(matrix_multiply::stages)) {
        CAPTURE(stage.name, shape.m, shape.k, shape.n);
        if (stage.layout == Rows::dense)
            exact.check(stage.launch, {{dense, dense, dense}});
        else if (shape.m * shape.k * shape.n > 200'000)
            exact.check(stage.launch, {{aligned, aligned, aligned}, {crooked, crooked, crooked}});
        else
            exact.check(stage.launch, {{dense, dense, dense},
                                       {aligned, aligned, aligned},
                                       {crooked, crooked, crooked},
                                       {aligned, crooked, aligned},
                                       {crooked, aligned, dense}});
    }
}

TEST_CASE("every tile among which 14_fitted chooses serves every shape", "[11_matrix_multiply]") {
    const Shape shape = awkward_shape();
    const Exact exact(shape);
    constexpr Layout aligned = Layout::aligned, crooked = Layout::crooked;
    for (const auto& tile : matrix_multiply::fitted_tiles()) {
        CAPTURE(tile.rows, tile.columns, shape.m, shape.k, shape.n);
        exact.check(tile.launch, {{aligned, aligned, aligned}, {crooked, crooked, crooked}});
    }
}

TEST_CASE("every stage's error is within the bound of a sum in floats", "[11_matrix_multiply]") {
    const auto stage = GENERATE(any_stage());
    const Shape shape = GENERATE(values<Shape>({{1, 1, 1}, {33, 31, 35}, {70, 1000, 68}, {129, 500, 131}}));
    CAPTURE(stage.name, shape.m, shape.k, shape.n);
    const auto a = random_values<float>(shape.m * shape.k), b = random_values<float>(shape.k * shape.n);
    REQUIRE(first_wrong(product_on_device(stage.launch, a, b, shape), a, b, shape) == "");
}

TEST_CASE("NaNs and infinities stay in their row and column", "[11_matrix_multiply]") {
    const auto stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    const Shape shape{133, 37, 131};
    auto a = small_whole_numbers(shape.m * shape.k), b = small_whole_numbers(shape.k * shape.n);
    for (float& element : a) element = std::abs(element) + 1;
    for (float& element : b) element = std::abs(element) + 1;
    a[130 * shape.k + 36] = not_a_number;
    b[35 * shape.n + 129] = infinity;
    const auto c = product_on_device(stage.launch, a, b, shape);
    const auto expected = exact_product(a, b, shape);
    for (std::size_t i = 0; i < shape.m; ++i)
        for (std::size_t j = 0; j < shape.n; ++j) {
            const float actual = c[i * shape.n + j];
            const bool right = i == 130   ? std::isnan(actual)
                               : j == 129 ? actual == infinity
                                          : actual == expected[i * shape.n + j];
            if (!right) FAIL("row " << i << ", column " << j << ": " << actual);
        }
}

// Right behind each of these matrices there is nothing: the emulator fails a launch that reads there.
TEST_CASE("no stage reads beyond the end of a matrix", "[11_matrix_multiply]") {
    const auto stage = GENERATE(any_stage());
    const Shape shape = GENERATE(values<Shape>({{64, 64, 61}, {61, 67, 64}, {128, 63, 129}}));
    CAPTURE(stage.name, shape.m, shape.k, shape.n);
    const auto a = small_whole_numbers(shape.m * shape.k), b = small_whole_numbers(shape.k * shape.n);
    matrix_multiply::DeviceMatrix<float> d_a(shape.m, shape.k, Rows::dense), d_b(shape.k, shape.n, Rows::dense),
        d_c(shape.m, shape.n, Rows::dense);
    d_a.copy_from(a);
    d_b.copy_from(b);
    d_c.poison();
    stage.launch(d_a.view(), d_b.view(), d_c.view());
    std::vector<float> c(shape.m * shape.n);
    d_c.copy_to(c);
    const auto exact = exact_product(a, b, shape);
    REQUIRE_SAME(c, std::vector<float>(exact.begin(), exact.end()));
}

TEST_CASE("matrices without rows, columns or both", "[11_matrix_multiply]") {
    const auto stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    SECTION("k = 0: the empty sum") {
        const Shape shape = GENERATE(values<Shape>({{1, 0, 1}, {33, 0, 130}, {200, 0, 3}}));
        REQUIRE_SAME(product_on_device(stage.launch, {}, {}, shape), std::vector<float>(shape.m * shape.n, 0.0f));
    }
    SECTION("nothing to compute") {
        const Shape shape = GENERATE(values<Shape>({{0, 5, 7}, {7, 5, 0}, {0, 0, 0}, {0, 0, 4}, {4, 0, 0}}));
        const auto a = random_values<float>(shape.m * shape.k), b = random_values<float>(shape.k * shape.n);
        REQUIRE(product_on_device(stage.launch, a, b, shape).empty());
    }
}

TEST_CASE("matrices that do not fit are refused, with their sizes", "[11_matrix_multiply]") {
    const auto stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    FencedMatrix a(3, 4, Layout::dense), b(4, 5, Layout::dense), c(3, 5, Layout::dense);
    FencedMatrix b_short(3, 5, Layout::dense), c_flat(2, 5, Layout::dense), c_narrow(3, 4, Layout::dense);
    REQUIRE(complaint([&] { stage.launch(a.view(), b_short.view(), c.view()); }) ==
            "matrices of 3x4 and 3x5 do not give one of 3x5");
    REQUIRE_THROWS_AS(stage.launch(a.view(), b.view(), c_flat.view()), usage_error);
    REQUIRE_THROWS_AS(stage.launch(a.view(), b.view(), c_narrow.view()), usage_error);
    c.elements();  // still poisoned around
}

TEST_CASE("2_row_per_block: any number of threads, and no gaps", "[11_matrix_multiply]") {
    const unsigned threads = GENERATE(1u, 31u, 32u, 33u, 256u, 1000u, 1024u);
    CAPTURE(threads);
    const Shape shape{7, 20, 259};
    const auto a = small_whole_numbers(shape.m * shape.k), b = small_whole_numbers(shape.k * shape.n);
    FencedMatrix d_a(shape.m, shape.k, Layout::dense, a), d_b(shape.k, shape.n, Layout::dense, b);
    FencedMatrix d_c(shape.m, shape.n, Layout::dense), with_gaps(shape.m, shape.n, Layout::crooked);
    matrix_multiply::row_per_block_with(threads, d_a.view(), d_b.view(), d_c.view());
    const auto exact = exact_product(a, b, shape);
    REQUIRE_SAME(d_c.elements(), std::vector<float>(exact.begin(), exact.end()));
    REQUIRE_THROWS_AS(matrix_multiply::row_per_block_with(threads, d_a.view(), d_b.view(), with_gaps.view()),
                      usage_error);
}

TEST_CASE("14_fitted takes the tile that lets the busiest multiprocessor end first", "[11_matrix_multiply]") {
    const auto [m, n, multiprocessors] = GENERATE(table<std::size_t, std::size_t, unsigned>({{1, 1, 132},
                                                                                             {4096, 4096, 132},
                                                                                             {256, 256, 132},
                                                                                             {1000, 1000, 132},
                                                                                             {1056, 1024, 132},
                                                                                             {64 * 132, 128, 132},
                                                                                             {64 * 133, 128, 132},
                                                                                             {1000, 1000, 1},
                                                                                             {128, 128, 4},
                                                                                             {256, 64, 2}}));
    // In multiply-adds of the fastest tile, by what each says of itself.
    const auto end = [&](const auto& tile) {
        const auto count = [](std::size_t length, std::size_t part) { return (length + part - 1) / part; };
        const std::size_t of_busiest = count(count(m, tile.rows) * count(n, tile.columns), multiprocessors);
        return (tile.start + static_cast<double>(of_busiest)) * tile.rows * tile.columns / tile.speed;
    };
    const auto& chosen = matrix_multiply::fitted_tile_for(m, n, multiprocessors);
    for (const auto& tile : matrix_multiply::fitted_tiles()) {
        CAPTURE(m, n, multiprocessors, chosen.rows, chosen.columns, tile.rows, tile.columns);
        REQUIRE((tile.speed > 0 && tile.speed <= 1));
        REQUIRE(end(chosen) <= end(tile));
    }
}

TEST_CASE("each tile of 14_fitted is chosen somewhere", "[11_matrix_multiply]") {
    std::set<Launch*> chosen;
    for (std::size_t n = 64; n <= 4096; n += 64) chosen.insert(matrix_multiply::fitted_tile_for(n, n, 132).launch);
    REQUIRE(chosen.size() == matrix_multiply::fitted_tiles().size());
}

TEST_CASE("16_dependent_launch has each tile of 14_fitted", "[11_matrix_multiply]") {
    if (launches_may_not_overlap()) return;
    std::set<Launch*> seen;
    for (std::size_t n = 64; n <= 4096; n += 64)
        if (seen.insert(matrix_multiply::fitted_tile_for(n, n, multiprocessors()).launch).second) {
            CAPTURE(n);
            const Exact exact({n, 37, n});
            constexpr Layout aligned = Layout::aligned, crooked = Layout::crooked;
            exact.check(stage_called("16_dependent_launch", matrix_multiply::stages).launch,
                        {{aligned, aligned, aligned}, {crooked, crooked, crooked}});
        }
    REQUIRE(seen.size() > 1);
}

// Each launch reads what the one ahead stores, and finds NaNs where it is too early. The products take longer than
// the host takes to launch them.
TEST_CASE("16_dependent_launch waits for the launch ahead", "[11_matrix_multiply]") {
    if (launches_may_not_overlap()) return;
    constexpr std::size_t m = 20, n = 1000, launches = 5;
    const auto start = small_whole_numbers(m * n);
    std::vector<float> shift(n * n, 0.0f);  // moves each column to the right, and the last one to the front
    for (std::size_t j = 0; j < n; ++j) shift[j * n + (j + 1) % n] = 1;
    FencedMatrix d_shift(n, n, Layout::aligned, shift);
    std::deque<FencedMatrix> products;
    products.emplace_back(m, n, Layout::aligned, start);
    for (std::size_t launch = 0; launch < launches; ++launch) products.emplace_back(m, n, Layout::aligned);
    for (std::size_t launch = 0; launch < launches; ++launch)
        stage_called("16_dependent_launch", matrix_multiply::stages)
            .launch(products[launch].view(), d_shift.view(), products[launch + 1].view());
    CUDA_CHECK(cudaDeviceSynchronize());
    std::vector<float> expected(m * n);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) expected[i * n + (j + launches) % n] = start[i * n + j];
    REQUIRE_SAME(products.back().elements(), expected);
}

TEST_CASE("the product on the host", "[11_matrix_multiply]") {
    const Shape shape = GENERATE(values<Shape>({{1, 1, 1}, {2, 300, 5}, {33, 31, 35}, {0, 3, 2}, {3, 0, 2}}));
    const unsigned threads = GENERATE(1u, 2u, 3u, 40u);
    CAPTURE(shape.m, shape.k, shape.n, threads);
    const auto a = random_values<float>(shape.m * shape.k), b = random_values<float>(shape.k * shape.n);
    std::vector<double> c(shape.m * shape.n, std::nan(""));
    matrix_multiply::cpu_with(threads, a, b, shape, c);
    REQUIRE_SAME(c, exact_product(a, b, shape));
    for (const auto& stage : matrix_multiply::stages)
        if (stage.on_host) {
            CAPTURE(stage.name);
            std::fill(c.begin(), c.end(), std::nan(""));
            stage.on_host(a, b, shape, c);
            REQUIRE_SAME(c, exact_product(a, b, shape));
        }
}

TEST_CASE("the error bound is one, and no wide one", "[11_matrix_multiply]") {
    const Shape shape{9, 1000, 11};
    auto a = random_values<float>(shape.m * shape.k), b = random_values<float>(shape.k * shape.n);
    SECTION("it is at least what it stands for, for numbers of any size") {
        const ErrorBound bound(a, b, shape);
        for (std::size_t i = 0; i < shape.m; ++i)
            for (std::size_t j = 0; j < shape.n; ++j) {
                double sum = 0;
                for (std::size_t l = 0; l < shape.k; ++l)
                    sum += std::abs(double{a[i * shape.k + l]} * b[l * shape.n + j]);
                const double ku = static_cast<double>(shape.k) * 0x1p-24;
                REQUIRE(bound(i, j) >= ku / (1 - ku) * sum);
            }
    }
    SECTION("for ones it is that") {
        std::fill(a.begin(), a.end(), 1.0f);
        std::fill(b.begin(), b.end(), -1.0f);
        const double ku = 1000 * 0x1p-24;
        REQUIRE(std::abs(ErrorBound(a, b, shape)(8, 10) / (ku / (1 - ku) * 1000) - 1) < 1e-6);
    }
    SECTION("every row and column has its own") {
        std::fill(a.begin() + shape.k, a.begin() + 2 * shape.k, 0.0f);
        for (std::size_t l = 0; l < shape.k; ++l) b[l * shape.n + 3] = 0;
        const ErrorBound bound(a, b, shape);
        REQUIRE(bound(1, 2) < 1e-30);
        REQUIRE(bound(2, 3) < 1e-30);
        REQUIRE(bound(2, 2) > 1e-6);
    }
    SECTION("a product rounded too often exceeds it") {
        // One that adds in floats of 11 bits, as the tensor cores' TF32 would.
        const auto shortened = [](float x) { return std::ldexp(std::round(std::ldexp(x, 10)), -10); };
        std::fill(a.begin(), a.end(), 1.0f / 3);
        std::fill(b.begin(), b.end(), 1.0f / 7);
        std::vector<float> c(shape.m * shape.n, 1000 * shortened(1.0f / 3) * shortened(1.0f / 7));
        REQUIRE(first_wrong(c, a, b, shape) != "");
    }
}

TEST_CASE("matrix_multiply prints all ladders", "[11_matrix_multiply]") {
    const Outcome result = run(program("11_matrix_multiply", "matrix_multiply") + " --a 3x200 --b 200x200 --repeat 1");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    const std::size_t binary = result.out.find("\n+1 and -1, 3 × 200 times 200 × 200\n");
    REQUIRE(result.out.find("\nFloats, 3 × 200 times 200 × 200\n") < binary);
    REQUIRE(binary != std::string::npos);
    const std::size_t tf32 = result.out.find("\nTF32, 3 × 200 times 200 × 200\n");
    REQUIRE((tf32 > binary && tf32 < result.out.find("\nBF16, 3 × 200 times 200 × 200\n")));
    std::size_t place = 0;
    for (const auto& stage : matrix_multiply::stages) {
        std::string variant(variant_of(stage.name));
        std::replace(variant.begin(), variant.end(), '_', ' ');
        place = result.out.find("\n" + (variant.empty() ? std::string(stage.name) : "  · " + variant) + " ", place);
        CAPTURE(stage.name);
        REQUIRE(place < binary);
    }
}

TEST_CASE("matrix_multiply's options", "[11_matrix_multiply]") {
    const std::string matrix_multiply = program("11_matrix_multiply", "matrix_multiply");
    const auto has = [](const Outcome& result, const std::string& word) {
        return result.out.find(word) != std::string::npos;
    };

    SECTION("two sizes that fit, one stage, some blocks") {
        const Outcome result =
            run(matrix_multiply + " --a 30x20 --b 20x50 --stage 2 --threads 1,96,256 --repeat 1 --seed 5");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(has(result, "Floats, 30 × 20 times 20 × 50\n"));
        // In the order in which they were asked for, below the stage's name.
        for (const char* row : {"\n2_row_per_block\n  · 1 ", "\n  · 96 ", "\n2_row_per_block "})
            REQUIRE(has(result, row));
        REQUIRE((!has(result, "/32 ") && !has(result, "· 32 ")));
        REQUIRE(!has(result, "3_pitched"));
        REQUIRE(!has(result, "+1 and -1"));
    }
    SECTION("a variant") {
        const Outcome result = run(matrix_multiply + " --n 20 --stage 2/32 --repeat 1");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(has(result, "\n1_cpu "));
        REQUIRE(has(result, "\n2_row_per_block\n  · 32 "));
        REQUIRE((!has(result, "\n2_row_per_block ") && !has(result, "threads ")));
    }
    SECTION("all variants of a stage") {
        const Outcome result = run(matrix_multiply + " --n 20 --stage 2 --repeat 1");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE((has(result, "\n2_row_per_block ") && has(result, "\n  · 32 ") && has(result, "\n  · long indices ")));
    }
    SECTION("the tiles of 14_fitted run when they are asked for") {
        const Outcome all = run(matrix_multiply + " --n 20 --float --repeat 1");
        CAPTURE(all.out, all.err);
        for (const std::string tile : {"64x128", "64x64 ", "32x64 "})
            REQUIRE(has(all, "\n  · " + tile + "              left out: 14_fitted chooses"));
        const Outcome stage = run(matrix_multiply + " --n 20 --stage 14 --repeat 1");
        CAPTURE(stage.out, stage.err);
        REQUIRE(stage.exit_code == 0);
        REQUIRE((has(stage, "\n14_fitted ") && has(stage, "\n  · 64x128 ") && has(stage, "\n  · 64x64 ") &&
                 has(stage, "\n  · 32x64 ")));
        REQUIRE(!has(stage, "left out"));
    }
    SECTION("--stage 1 runs those on the host") {
        const Outcome host = run(matrix_multiply + " --n 20 --stage 1 --repeat 1");
        CAPTURE(host.out, host.err);
        REQUIRE(host.exit_code == 0);
        REQUIRE((has(host, "\n1_cpu ") && has(host, "\n  · threads ") && has(host, "\n  · ijl ")));
        REQUIRE(!has(host, "row_per_block"));
    }
    SECTION("one ladder") {
        const Outcome floats = run(matrix_multiply + " --n 20 --float --repeat 1");
        CAPTURE(floats.out, floats.err);
        REQUIRE(floats.exit_code == 0);
        REQUIRE((has(floats, "5_tiled") && !has(floats, "+1 and -1") && !has(floats, "TF32")));
        const Outcome binary = run(matrix_multiply + " --n 20 --binary --repeat 1");
        CAPTURE(binary.out, binary.err);
        REQUIRE(binary.exit_code == 0);
        REQUIRE((has(binary, "+1 and -1") && !has(binary, "Floats") && !has(binary, "TF32")));
    }
    SECTION("the smallest size") {
        const Outcome result = run(matrix_multiply + " --n 1 --repeat 1");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
    }
}

TEST_CASE("matrix_multiply refuses what makes no sense, in one line", "[11_matrix_multiply]") {
    const auto [arguments, named] = GENERATE(table<std::string, std::string>({
        {"--m 2^20 --n 2^20", "memory"},
        {"--m 0", "--m 0"},
        {"--a 30x20 --b 21x50", "a must have as many columns as b has rows"},
        {"--a 30x20", "--b"},
        {"--a 30 --b 30x2", "--a 30"},
        {"--a 0x20 --b 20x50", "--a 0"},
        {"--a 30x --b 30x2", "ROWSxCOLUMNS"},
        {"--a x --b 3x3", "ROWSxCOLUMNS"},
        {"--a 3x4x5 --b 4x5", "4x5"},
        {"--a 3x4 --b 4x5 --n 7", "--n"},
        {"--a 1x2^24 --b 2^24x1", "16,777,216"},
        {"--threads 0", "--threads 0"},
        {"--threads 1025", "1025"},
        {"--threads many", "many"},
        {"--float --binary", "--binary"},
        {"--float --tensor", "--tensor"},
        {"--binary --tensor", "--tensor"},
        {"--float --stage t1", "--float"},
        {"--tensor --stage 4", "--tensor"},
        {"--float --stage b4", "--float"},
        {"--binary --stage 4", "--binary"},
        {"--stage 2/32 --threads 64", "--threads"},
        {"--stage 2/64", "2_row_per_block/32"},
    }));
    const Outcome result = run(program("11_matrix_multiply", "matrix_multiply") + " " + arguments);
    CAPTURE(arguments, result.out, result.err);
    REQUIRE(result.exit_code == 2);
    REQUIRE(result.err.find(named) != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}
