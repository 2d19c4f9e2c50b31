#include "11_matrix_multiply/packed_matrices.h"
#include "11_matrix_multiply/rounded_matrices.h"

#include <algorithm>
#include <utility>

#include "testing.h"

using matrix_multiply::BinaryLaunch;
using matrix_multiply::DeviceMatrix;
using matrix_multiply::Matrix;
using matrix_multiply::Packed;
using matrix_multiply::PackedMatrices;
using matrix_multiply::PackLaunch;
using matrix_multiply::round_up;
using matrix_multiply::Rows;
using matrix_multiply::Shape;
using matrix_multiply::tile_padding;
using matrix_multiply::Word;
using matrix_multiply::word_padding;
using matrix_multiply::words_for;

namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int>;

/// The definition, in whole numbers, one product after another.
Ints product(const Floats& a, const Floats& b, Shape shape) {
    const auto [m, k, n] = shape;
    Ints c(m * n);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t l = 0; l < k; ++l) {
            const bool minus = a[i * k + l] < 0;
            for (std::size_t j = 0; j < n; ++j) c[i * n + j] += minus == (b[l * n + j] < 0) ? 1 : -1;
        }
    return c;
}

/// Packs a and b into poisoned memory.
PackedMatrices packed(const Floats& a, const Floats& b, Shape shape, PackLaunch* pack) {
    DeviceMatrix<float> d_a(shape.m, shape.k, Rows::dense), d_b(shape.k, shape.n, Rows::dense);
    d_a.copy_from(a);
    d_b.copy_from(b);
    PackedMatrices matrices(shape);
    matrices.poison();
    pack(d_a.view(), d_b.view(), matrices);
    CUDA_CHECK(cudaDeviceSynchronize());
    return matrices;
}

PackedMatrices packed(const Floats& a, const Floats& b, Shape shape) {
    return packed(a, b, shape, stage_called("pack", matrix_multiply::pack_stages).launch);
}

/// What a stage makes of them, from poisoned memory; and that it leaves alone what lies around c and between its rows.
/// gap: elements between the end of a row and the next one.
Ints on_device(BinaryLaunch* multiply, const PackedMatrices& matrices, std::size_t gap) {
    constexpr std::size_t fence = 64;
    const auto [m, k, n] = matrices.view().shape;
    const std::size_t stride = n + gap;
    auto memory = poisoned<int>(m * stride + 2 * fence);
    multiply(matrices.view(), {memory.data() + fence, m, n, stride});
    CUDA_CHECK(cudaDeviceSynchronize());

    const Ints all = memory.to_host();
    Ints c;
    std::size_t touched = 0;
    for (std::size_t at = 0; at < all.size(); ++at) {
        const bool inside = at >= fence && at < fence + m * stride && (at - fence) % stride < n;
        if (inside)
            c.push_back(all[at]);
        else
            touched += all[at] != -1;
    }
    REQUIRE(touched == 0);
    return c;
}

template <class T>
std::vector<T> to_host(const T* data, std::size_t n) {
    std::vector<T> values(n);
    CUDA_CHECK(cudaMemcpy(values.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

auto any_stage() {
    return Catch::Generators::from_range(on_device(matrix_multiply::binary_stages));
}

auto any_packing() {
    return Catch::Generators::from_range(on_device(matrix_multiply::pack_stages));
}

Floats signs(const std::string& kind, std::size_t n) {
    Floats values = random_values<float>(n);
    for (float& value : values) {
        if (kind == "+1") value = 1;
        if (kind == "-1") value = -1;
        if (kind == "+1 and -1") value = value < 0 ? -1.f : 1.f;
        if (kind == "zeros") value = value < 0 ? -0.0f : 0.0f;
    }
    return values;
}

}  // namespace

TEST_CASE("every binary stage gives the product of the signs", "[11_matrix_multiply]") {
    const auto shape = GENERATE(values<Shape>({{1, 1, 1},
                                               {2, 2, 2},
                                               {31, 31, 31},
                                               {32, 32, 32},
                                               {33, 33, 33},
                                               {63, 63, 63},
                                               {127, 127, 127},
                                               {128, 128, 128},
                                               {129, 129, 129},
                                               {1, 1000, 1},
                                               {3, 5, 257},
                                               {257, 33, 2},
                                               {65, 1023, 67},
                                               {17, 1024, 130},
                                               {131, 1025, 61},
                                               {16, 4127, 15},
                                               {1, 31, 300},
                                               {300, 1, 1}}));
    const auto [m, k, n] = shape;
    const auto gap = GENERATE(as<std::size_t>{}, 0, 3);
    CAPTURE(m, k, n, gap);
    const Floats a = random_values<float>(m * k), b = random_values<float>(k * n);
    const Ints expected = product(a, b, shape);
    const PackedMatrices matrices = packed(a, b, shape);
    for (const auto& stage : on_device(matrix_multiply::binary_stages)) {
        CAPTURE(stage.name);
        twice([&] { REQUIRE_SAME(on_device(stage.launch, matrices, gap), expected); });
    }
}

TEST_CASE("every binary stage at the program's default size", "[11_matrix_multiply]") {
    const Shape shape{1000, 1000, 1000};
    const Floats a = random_values<float>(1'000'000), b = random_values<float>(1'000'000);
    Ints expected(1'000'000);
    matrix_multiply::binary_cpu(a, b, shape, expected);
    const PackedMatrices matrices = packed(a, b, shape);
    for (const auto& stage : on_device(matrix_multiply::binary_stages)) {
        CAPTURE(stage.name);
        REQUIRE_SAME(on_device(stage.launch, matrices, 0), expected);
    }
}

TEST_CASE("signs that are all alike give k and -k", "[11_matrix_multiply]") {
    // The last one is more than a piece of b3_row_in_shared.
    const auto k = GENERATE(as<std::size_t>{}, 1, 31, 32, 33, 255, 256, 257, 1000, 33'001);
    const auto kind_of_a = GENERATE(as<std::string>{}, "+1", "-1"), kind_of_b = GENERATE(as<std::string>{}, "+1", "-1");
    CAPTURE(k, kind_of_a, kind_of_b);
    const PackedMatrices matrices = packed(signs(kind_of_a, 3 * k), signs(kind_of_b, k * 5), {3, k, 5});
    const int sum = kind_of_a == kind_of_b ? static_cast<int>(k) : -static_cast<int>(k);
    for (const auto& stage : on_device(matrix_multiply::binary_stages)) {
        CAPTURE(stage.name);
        REQUIRE_SAME(on_device(stage.launch, matrices, 0), Ints(15, sum));
    }
}

TEST_CASE("one wrong sign is seen wherever it is", "[11_matrix_multiply]") {
    const auto l = GENERATE(as<std::size_t>{}, 0, 1, 31, 32, 511, 512, 1023, 1024, 1099);
    CAPTURE(l);
    const Shape shape{2, 1100, 2};
    Floats a = signs("+1", 2200);
    a[shape.k + l] = -1;  // in row 1
    const PackedMatrices matrices = packed(a, signs("+1", 2200), shape);
    for (const auto& stage : on_device(matrix_multiply::binary_stages)) {
        CAPTURE(stage.name);
        REQUIRE_SAME(on_device(stage.launch, matrices, 0), (Ints{1100, 1100, 1098, 1098}));
    }
}

TEST_CASE("nothing to add up gives zeros, and no rows or columns give nothing", "[11_matrix_multiply]") {
    const auto stage = GENERATE(any_stage());
    const auto shape = GENERATE(values<Shape>({{3, 0, 5}, {0, 3, 5}, {5, 3, 0}, {0, 0, 0}}));
    CAPTURE(stage.name, shape.m, shape.k, shape.n);
    const PackedMatrices matrices =
        packed(random_values<float>(shape.m * shape.k), random_values<float>(shape.k * shape.n), shape);
    REQUIRE_SAME(on_device(stage.launch, matrices, 1), Ints(shape.m * shape.n, 0));
}

TEST_CASE("a stage may run again, on other data and into the same memory", "[11_matrix_multiply]") {
    const auto stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    const Shape shape{40, 70, 50};
    DeviceMatrix<int> c(40, 50, Rows::pitched);
    for (int turn = 0; turn < 3; ++turn) {
        const Floats a = random_values<float>(40 * 70), b = random_values<float>(70 * 50);
        const PackedMatrices matrices = packed(a, b, shape);
        stage.launch(matrices.view(), c.view());
        Ints actual(2000);
        c.copy_to(actual);
        REQUIRE_SAME(actual, product(a, b, shape));
    }
}

TEST_CASE("the binary reference on the host", "[11_matrix_multiply]") {
    const auto shape = GENERATE(values<Shape>(
        {{1, 1, 1}, {3, 31, 5}, {5, 63, 3}, {2, 64, 7}, {7, 65, 2}, {33, 129, 31}, {4, 1000, 4}, {3, 0, 2}}));
    const auto kind = GENERATE(as<std::string>{}, "any", "+1 and -1", "+1", "zeros");
    const unsigned threads = GENERATE(0u, 1u, 2u, 3u, 40u);  // 0: as many as the host has
    CAPTURE(shape.m, shape.k, shape.n, kind, threads);
    const Floats a = signs(kind, shape.m * shape.k), b = signs(kind, shape.k * shape.n);
    Ints c(shape.m * shape.n, -1 - static_cast<int>(shape.k));  // no sum of signs
    if (threads == 0)
        matrix_multiply::binary_cpu_threads(a, b, shape, c);
    else
        matrix_multiply::binary_cpu_with(threads, a, b, shape, c);
    REQUIRE_SAME(c, product(a, b, shape));
}

TEST_CASE("packing keeps every sign, and pads with zeros", "[11_matrix_multiply]") {
    const auto shape = GENERATE(values<Shape>(
        {{1, 1, 1}, {31, 33, 32}, {129, 1025, 127}, {8, 1000, 200}, {3, 2050, 1}, {300, 31, 5}, {2, 0, 3}}));
    const auto kind = GENERATE(as<std::string>{}, "any", "zeros");
    const auto stage = GENERATE(any_packing());
    const auto [m, k, n] = shape;
    CAPTURE(stage.name, m, k, n, kind);
    const Floats a = signs(kind, m * k), b = signs(kind, k * n);
    const PackedMatrices matrices = packed(a, b, shape, stage.launch);
    const Packed view = matrices.view();
    REQUIRE(view.words == (k + 31) / 32);
    REQUIRE(view.a.rows == round_up(m, tile_padding));
    REQUIRE(view.b.columns == round_up(n, tile_padding));
    REQUIRE(view.a.columns == round_up(words_for(k), word_padding));
    REQUIRE(view.b.rows == view.a.columns);

    const std::size_t words = view.a.columns;
    std::vector<Word> rows(view.a.rows * words), columns(words * view.b.columns);
    Ints ones_in_rows(view.a.rows), ones_in_columns(view.b.columns);
    for (std::size_t l = 0; l < k; ++l) {
        const Word bit = Word{1} << l % 32;
        for (std::size_t i = 0; i < m; ++i)
            if (!(a[i * k + l] < 0)) rows[i * words + l / 32] += bit, ++ones_in_rows[i];
        for (std::size_t j = 0; j < n; ++j)
            if (!(b[l * n + j] < 0)) columns[l / 32 * view.b.columns + j] += bit, ++ones_in_columns[j];
    }
    REQUIRE_SAME(to_host(view.a.data, rows.size()), rows);
    REQUIRE_SAME(to_host(view.b.data, columns.size()), columns);
    REQUIRE_SAME(to_host(view.ones_in_a, ones_in_rows.size()), ones_in_rows);
    REQUIRE_SAME(to_host(view.ones_in_b, ones_in_columns.size()), ones_in_columns);
}

TEST_CASE("packing takes rows with gaps between them", "[11_matrix_multiply]") {
    const auto stage = GENERATE(any_packing());
    CAPTURE(stage.name);
    const Shape shape{5, 45, 37};
    const Floats a = random_values<float>(5 * 45), b = random_values<float>(45 * 37);
    DeviceMatrix<float> d_a(5, 45, Rows::pitched), d_b(45, 37, Rows::pitched);
    d_a.copy_from(a);
    d_b.copy_from(b);
    PackedMatrices matrices(shape);
    twice([&] { stage.launch(d_a.view(), d_b.view(), matrices); });
    REQUIRE_SAME(on_device(stage_called("b6_popc", matrix_multiply::binary_stages).launch, matrices, 0),
                 product(a, b, shape));
}

TEST_CASE("matrices that do not fit are usage errors", "[11_matrix_multiply]") {
    PackedMatrices matrices(Shape{4, 5, 6});
    DeviceMatrix<float> a(4, 5, Rows::dense), b(5, 6, Rows::dense), other(5, 5, Rows::dense);
    matrices.pack(a.view(), b.view());
    REQUIRE(complaint([&] { matrices.pack(other.view(), b.view()); }).find("another shape") != std::string::npos);
    REQUIRE(complaint([&] { matrices.pack(a.view(), other.view()); }).find("another shape") != std::string::npos);

    const auto stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    DeviceMatrix<int> too_wide(4, 7, Rows::dense), too_high(5, 6, Rows::dense);
    REQUIRE(complaint([&] { stage.launch(matrices.view(), too_wide.view()); }) ==
            "a product of 4x6 does not fit in a matrix of 4x7");
    REQUIRE(complaint([&] { stage.launch(matrices.view(), too_high.view()); }) ==
            "a product of 4x6 does not fit in a matrix of 5x6");
    Packed long_sums = matrices.view();
    long_sums.shape.k = std::size_t{1} << 31;
    DeviceMatrix<int> c(4, 6, Rows::dense);
    REQUIRE(complaint([&] { stage.launch(long_sums, c.view()); }) ==
            "a sum of 2147483648 signs may be more than an int holds");
    const std::size_t huge = std::size_t{1} << 31;
    Packed high = matrices.view(), wide = matrices.view();
    high.shape = {huge, 5, 1};
    wide.shape = {1, 5, huge};
    REQUIRE(complaint([&] {
                stage.launch(high, {c.view().data, huge, 1, 1});
            }) == "a product of 2147483648x1 has too many rows or columns: 2^31 - 1 are possible");
    REQUIRE(complaint([&] {
                stage.launch(wide, {c.view().data, 1, huge, huge});
            }) == "a product of 1x2147483648 has too many rows or columns: 2^31 - 1 are possible");
}

TEST_CASE("matrix_multiply --binary shows packing and every binary stage", "[11_matrix_multiply]") {
    const Outcome result = run(program("11_matrix_multiply", "matrix_multiply") + " --binary --a 40x100 --b 100x30");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    std::size_t place = 0;
    for (const char* line : {"\nPacking, 40 × 100 times 100 × 30\n", "\npack ", "\n  · thread per word ",
                             "\n  · padded copy ", "\n+1 and -1, 40 × 100 times 100 × 30\n", "\nb1_cpu ",
                             "\n  · threads ", "\nb2_table_popcount ", "\n  · constant ", "\n  · equal ",
                             "\nb3_row_in_shared ", "\nb4_tiled ", "\n  · padded ", "\nb5_tiled_conflict_free ",
                             "\n  · 8 ", "\n  · 4 ", "\nb6_popc ", "\nb7_carry_save ", "\nb8_tensor_cores "}) {
        CAPTURE(line);
        place = result.out.find(line, place);
        REQUIRE(place != std::string::npos);
    }
    REQUIRE(result.out.find("Floats") == std::string::npos);
    REQUIRE(result.out.find("left out") == std::string::npos);
}

TEST_CASE("matrix_multiply runs one binary stage when it is asked for", "[11_matrix_multiply]") {
    const auto [asked, shown, hidden] = GENERATE(table<std::string, std::string, std::string>({
        {"b3", "\nb3_row_in_shared ", "\nb2_table_popcount "},
        {"b4", "\n  · padded ", "\nb5_tiled_conflict_free "},
        {"b4/padded", "\nb4_tiled\n  · padded ", "\nb4_tiled "},
        {"b1", "\nb1_cpu ", "\npack "},
        {"b1/threads", "\n  · threads ", "\nb2_table_popcount "},
        {"pack", "\npack ", "\nb2_table_popcount "},
        {"carry_save", "\nb7_carry_save ", "\npack "},
    }));
    const Outcome result = run(program("11_matrix_multiply", "matrix_multiply") + " --binary --n 33 --stage " + asked);
    CAPTURE(asked, result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.find(shown) != std::string::npos);
    REQUIRE(result.out.find(hidden) == std::string::npos);
    REQUIRE(result.out.find("left out") == std::string::npos);
}
