#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "16_sparse/matrices.h"
#include "16_sparse/sparse.h"
#include "testing.h"

namespace {

using sparse::Csr;

/// A matrix with rows of these lengths. The columns of a row are neighbours, from a place that differs from row to row.
Csr with_lengths(const std::vector<int>& lengths, int width) {
    Csr a;
    a.rows = static_cast<int>(lengths.size());
    a.width = width;
    for (int row = 0; row < a.rows; ++row) {
        const int begin = static_cast<int>(row * 7919LL % (width - lengths[row] + 1));
        for (int k = 0; k < lengths[row]; ++k) a.columns.push_back(begin + k);
        a.row_starts.push_back(static_cast<int>(a.columns.size()));
    }
    a.values = random_values<float>(a.columns.size());
    return a;
}

/// Whole numbers from -8 to 8. Every sum of 100,003 of their products is exact in float, whatever the order.
std::vector<float> whole_numbers(std::size_t n) {
    std::vector<float> values;
    for (const unsigned bits : random_values<unsigned>(n)) values.push_back(static_cast<float>(bits % 17) - 8);
    return values;
}

struct Starts {
    std::size_t row_starts, columns, values, x, y;
};

/// Runs a stage twice and hands each y to `verify`. Around what is read are fences that spoil what reads them: columns
/// that lead out of x, and NaN.
template <class Verify>
void run_stage(const sparse::Stage& stage, const Csr& a, const std::vector<float>& x, const Starts& starts,
               const Verify& verify) {
    Fenced row_starts(a.row_starts, starts.row_starts), columns(a.columns, starts.columns);
    Fenced values(a.values, starts.values), d_x(x, starts.x);
    Fenced<float> y(a.rows, starts.y);
    const sparse::Matrix matrix{a.rows, a.width, a.entries(), row_starts.data(), columns.data(), values.data()};
    twice([&] {
        y.buffer.poison();
        stage.launch(matrix, d_x.data(), y.data());
        CUDA_CHECK(cudaDeviceSynchronize());
        verify(y.values());
        REQUIRE(y.written_outside() == "");
    });
    REQUIRE_SAME(row_starts.values(), a.row_starts);
    REQUIRE_SAME(columns.values(), a.columns);
}

void check_exactly(const sparse::Stage& stage, Csr a, const Starts& starts) {
    a.values = whole_numbers(a.columns.size());
    const std::vector<float> x = whole_numbers(a.width);
    std::vector<float> expected(a.rows);
    for (int row = 0; row < a.rows; ++row)
        for (int e = a.row_starts[row]; e < a.row_starts[row + 1]; ++e) expected[row] += a.values[e] * x[a.columns[e]];
    run_stage(stage, a, x, starts, [&](const std::vector<float>& y) { REQUIRE_SAME(y, expected); });
}

void check_within_bound(const sparse::Stage& stage, const Csr& a, const std::vector<float>& x) {
    const std::vector<sparse::Exact> exact = sparse::exact(a, x);
    const sparse::Matrix sizes{a.rows, a.width, a.entries(), nullptr, nullptr, nullptr};
    run_stage(stage, a, x, {}, [&](const std::vector<float>& y) {
        for (int row = 0; row < a.rows; ++row) {
            const std::size_t k = a.row_starts[row + 1] - a.row_starts[row];
            CAPTURE(row, k, y[row], exact[row].value);
            REQUIRE(std::abs(y[row] - exact[row].value) <=
                    sparse::error_bound(exact[row], k, stage.roundings(sizes, k)));
        }
    });
}

constexpr Starts all_starts[] = {{0, 0, 0, 0, 0}, {1, 2, 3, 1, 2}, {3, 1, 1, 2, 3}};

std::string written(const std::string& text) {
    const std::string path = std::filesystem::temp_directory_path() / "16_sparse_test.mtx";
    std::ofstream(path) << text;
    return path;
}

/// What the reader says about a file with this text, without the path.
std::string said_of(const std::string& text) {
    const std::string path = written(text), said = complaint([&] { sparse::read_matrix_market(path); });
    return said.starts_with(path) ? said.substr(path.size()) : said;
}

}  // namespace

TEST_CASE("every stage takes every entry once, in every kind of matrix", "[16_sparse]") {
    const auto kind = GENERATE("banded", "uniform", "power", "empty");
    const auto rows = GENERATE(0, 1, 31, 32, 33, 256, 257, 1021);
    const auto mean = GENERATE(1, 8);
    const Csr a = sparse::random_matrix(kind, rows, mean, test_seed());
    for (const auto& stage : on_device(sparse::stages)) {
        const Starts& starts = all_starts[(rows + mean) % std::size(all_starts)];
        CAPTURE(stage.name, kind, rows, mean, starts.row_starts);
        check_exactly(stage, a, starts);
    }
}

TEST_CASE("rows of every length, and empty ones anywhere", "[16_sparse]") {
    std::vector<int> ascending(140), with_one(1000, 1), tiles(40, 0);
    std::iota(ascending.begin(), ascending.end(), 0);
    with_one[500] = 5000;
    for (std::size_t i = 0; i < tiles.size(); ++i) tiles[i] = 1785 + static_cast<int>(i % 16);  // around 7 · 256 steps
    const std::vector<std::vector<int>> all = {
        {0},
        {0, 0, 0},
        std::vector<int>(5000, 0),
        {100'003},
        {0, 0, 100'003, 0, 0},
        {1, 100'003, 1},
        {15, 16, 17, 0, 31, 32, 33, 0, 0},
        {0, 0, 0, 1},
        {1, 0, 0, 0},
        ascending,
        with_one,
        tiles,
    };
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const auto& stage : on_device(sparse::stages)) {
            const Starts& starts = all_starts[i % std::size(all_starts)];
            CAPTURE(stage.name, i, starts.row_starts);
            check_exactly(stage, with_lengths(all[i], 100'003), starts);
        }
}

TEST_CASE("the tiles end everywhere in a row", "[16_sparse]") {
    // Steps of 16, 7 and 9, and tiles of 1152, 1792, 2048 and 4096 steps: a row more moves all that follow by one.
    const auto before =
        GENERATE(0, 1, 2, 6, 7, 8, 9, 10, 15, 16, 17, 1151, 1152, 1153, 1790, 1791, 1792, 1793, 2047, 2048, 4095, 4096);
    std::vector<int> lengths(before, 0);
    lengths.insert(lengths.end(), {9000, 0, 3, 1});
    for (const auto& stage : on_device(sparse::stages)) {
        CAPTURE(stage.name, before);
        check_exactly(stage, with_lengths(lengths, 9000), {});
    }
}

TEST_CASE("the error of every stage is within what its method guarantees", "[16_sparse]") {
    const auto kind = GENERATE("banded", "power", "one row", "tiny");
    Csr a = std::string_view(kind) == "one row"
                ? with_lengths({100'003}, 100'003)
                : sparse::random_matrix(std::string_view(kind) == "tiny" ? "power" : kind, 3001, 20, test_seed());
    std::vector<float> x = random_values<float>(a.width);
    if (std::string_view(kind) == "tiny")
        for (float& value : x) value *= 0x1p-126f;
    for (const auto& stage : on_device(sparse::stages)) {
        CAPTURE(stage.name, kind);
        check_within_bound(stage, a, x);
    }
}

TEST_CASE("a bound sees a product that is missing", "[16_sparse]") {
    for (const auto& stage : on_device(sparse::stages)) {
        CAPTURE(stage.name);
        const sparse::Matrix sizes{1000, 1000, 8000, nullptr, nullptr, nullptr};
        REQUIRE(sparse::error_bound({1000, 1000}, 1000, stage.roundings(sizes, 1000)) < 0.5);
        for (const std::size_t k : {1, 2, 33, 1000, 100'000})  // No order has fewer roundings than a tree.
            REQUIRE(static_cast<double>(stage.roundings(sizes, k)) >= std::log2(k));
    }
    REQUIRE(sparse::error_bound({0, 0}, 0, 100) == 0);
    REQUIRE(std::isinf(sparse::error_bound({1, 1}, 1 << 24, 1 << 24)));
}

TEST_CASE("a NaN spoils the rows that read it, and no others", "[16_sparse]") {
    const auto place = GENERATE("value", "x");
    Csr a = sparse::random_matrix("uniform", 1021, 8, test_seed());
    a.values = whole_numbers(a.columns.size());
    std::vector<float> x = whole_numbers(a.width);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    (std::string_view(place) == "value" ? a.values[a.values.size() / 2] : x[500]) = nan;
    std::vector<float> expected(a.rows);
    sparse::cpu(a, x, expected);
    REQUIRE(std::ranges::any_of(expected, [](float y) { return std::isnan(y); }));
    for (const auto& stage : on_device(sparse::stages)) {
        CAPTURE(stage.name, place);
        run_stage(stage, a, x, {}, [&](const std::vector<float>& y) {
            for (int row = 0; row < a.rows; ++row) {
                CAPTURE(row);
                REQUIRE((std::isnan(expected[row]) ? std::isnan(y[row]) : y[row] == expected[row]));
            }
        });
    }
}

TEST_CASE("an x that no row reads may be anything", "[16_sparse]") {
    Csr a = with_lengths({3, 0, 2}, 3);
    a.width = 5;
    a.values = {1, 2, 3, 4, 5};
    std::vector<float> x = {1, 2, 3, std::numeric_limits<float>::quiet_NaN(), 5};
    std::vector<float> expected(a.rows);
    sparse::cpu(a, x, expected);
    for (const auto& stage : on_device(sparse::stages)) {
        CAPTURE(stage.name);
        run_stage(stage, a, x, {}, [&](const std::vector<float>& y) { REQUIRE_SAME(y, expected); });
    }
}

TEST_CASE("the CPU multiplies, with any number of threads", "[16_sparse]") {
    const auto rows = GENERATE(0, 1, 2, 7, 1000);
    const auto kind = GENERATE("uniform", "power", "empty");
    Csr a = sparse::random_matrix(kind, rows, 8, test_seed());
    const std::vector<float> x = random_values<float>(a.width);
    std::vector<float> expected(a.rows), y(a.rows);
    for (int row = 0; row < a.rows; ++row) {
        double sum = 0;
        for (int e = a.row_starts[row]; e < a.row_starts[row + 1]; ++e) sum += double{a.values[e]} * x[a.columns[e]];
        expected[row] = static_cast<float>(sum);
    }
    sparse::cpu(a, x, y);
    REQUIRE_SAME(y, expected);
    for (const unsigned threads : {0u, 1u, 2u, 3u, 7u, 32u}) {  // 0: as many as the host has
        CAPTURE(rows, kind, threads);
        std::fill(y.begin(), y.end(), std::numeric_limits<float>::quiet_NaN());
        threads == 0 ? sparse::cpu_threads(a, x, y) : sparse::cpu_threads(a, x, y, threads);
        REQUIRE_SAME(y, expected);
    }
}

TEST_CASE("random matrices are what they are called", "[16_sparse]") {
    const auto kind = GENERATE("banded", "uniform", "power", "empty");
    const auto rows = GENERATE(0, 1, 2, 9, 1000, 20'000);
    const auto mean = GENERATE(1, 2, 8);
    CAPTURE(kind, rows, mean);
    const Csr a = sparse::random_matrix(kind, rows, mean, 7);
    REQUIRE(a.rows == rows);
    REQUIRE(a.width == rows);
    REQUIRE(a.row_starts.size() == rows + std::size_t{1});
    REQUIRE(a.row_starts[0] == 0);
    REQUIRE(a.columns.size() == static_cast<std::size_t>(a.entries()));
    REQUIRE(a.values.size() == a.columns.size());
    std::vector<int> lengths;
    bool ascend = true;
    for (int row = 0; row < rows; ++row) {
        lengths.push_back(a.row_starts[row + 1] - a.row_starts[row]);
        for (int e = a.row_starts[row]; e < a.row_starts[row + 1]; ++e)
            ascend = ascend && a.columns[e] >= 0 && a.columns[e] < rows &&
                     (e == a.row_starts[row] || a.columns[e - 1] < a.columns[e]);
    }
    REQUIRE(ascend);
    REQUIRE(std::ranges::all_of(a.values, [](float value) { return value >= -1 && value <= 1; }));

    const Csr again = sparse::random_matrix(kind, rows, mean, 7), other = sparse::random_matrix(kind, rows, mean, 8);
    REQUIRE_SAME(again.columns, a.columns);
    REQUIRE_SAME(again.values, a.values);
    if (rows < 1000) return;
    REQUIRE(other.values != a.values);
    REQUIRE(a.entries() > 0.8 * mean * rows);
    REQUIRE(a.entries() < 1.2 * mean * rows);
    const int longest = *std::max_element(lengths.begin(), lengths.end());
    const auto empty = std::count(lengths.begin(), lengths.end(), 0);
    if (std::string_view(kind) == "banded") REQUIRE(longest == mean);
    if (std::string_view(kind) == "uniform") REQUIRE(longest == mean + mean / 2);
    if (std::string_view(kind) == "power") REQUIRE(longest > a.entries() / 15);
    if (std::string_view(kind) == "empty") {
        REQUIRE(longest == 10 * mean);
        REQUIRE(empty > 0.85 * rows);
        REQUIRE(empty < 0.95 * rows);
    }
}

TEST_CASE("matrices that are too large, or of no kind, are refused", "[16_sparse]") {
    REQUIRE(complaint([] { sparse::random_matrix("uniform", 1 << 20, 1 << 12, 1); }).find("entries") !=
            std::string::npos);
    REQUIRE(complaint([] { sparse::random_matrix("round", 10, 1, 1); }).find("banded, uniform, power or empty") !=
            std::string::npos);
}

TEST_CASE("Matrix Market files", "[16_sparse]") {
    SECTION("general, in any order, with comments and blank lines") {
        const Csr a = sparse::read_matrix_market(
            written("%%MatrixMarket matrix coordinate real general\n% a comment\n\n 4 5\t3\n\n3 5 -1.5e1\n1 2 +2\r\n"
                    "%\n3 1 .25\n\n% the end\n"));
        REQUIRE(a.rows == 4);
        REQUIRE(a.width == 5);
        REQUIRE_SAME(a.row_starts, (std::vector<int>{0, 1, 1, 3, 3}));
        REQUIRE_SAME(a.columns, (std::vector<int>{1, 0, 4}));
        REQUIRE_SAME(a.values, (std::vector<float>{2, 0.25f, -15}));
    }
    SECTION("symmetric: what is not on the diagonal counts twice") {
        const Csr a = sparse::read_matrix_market(
            written("%%MatrixMarket MATRIX Coordinate pattern SYMMETRIC\n3 3 3\n1 1\n3 1\n2 2"));
        REQUIRE_SAME(a.row_starts, (std::vector<int>{0, 2, 3, 4}));
        REQUIRE_SAME(a.columns, (std::vector<int>{0, 2, 1, 0}));
        REQUIRE_SAME(a.values, (std::vector<float>{1, 1, 1, 1}));
    }
    SECTION("nothing in it") {
        const Csr a = sparse::read_matrix_market(written("%%MatrixMarket matrix coordinate integer general\n0 0 0\n"));
        REQUIRE(a.rows == 0);
        REQUIRE(a.entries() == 0);
    }
}

TEST_CASE("what is wrong with a Matrix Market file is said, with its line", "[16_sparse]") {
    const std::string head = "%%MatrixMarket matrix coordinate real general\n";
    REQUIRE(complaint([] { sparse::read_matrix_market("/no/such/file.mtx"); }).find("cannot read /no/such/file.mtx") ==
            0);
    REQUIRE(said_of("").starts_with(", line 1: this is no Matrix Market file"));
    REQUIRE(said_of("1 1 1\n").starts_with(", line 1: this is no Matrix Market file"));
    REQUIRE(said_of("%%MatrixMarket matrix array real general\n").find("not sparse") != std::string::npos);
    REQUIRE(said_of("%%MatrixMarket matrix coordinate complex general\n").find("real, integer or pattern") !=
            std::string::npos);
    REQUIRE(said_of("%%MatrixMarket matrix coordinate real hermitian\n").find("general or symmetric") !=
            std::string::npos);
    REQUIRE(said_of("%%MatrixMarket matrix coordinate real general 1\n").find("more on the line") != std::string::npos);
    REQUIRE(said_of(head) == ", line 2: the file ends, and says no size");
    REQUIRE(said_of(head + "2 2\n") == ", line 2: the number of entries is missing, or is no number that fits");
    REQUIRE(said_of(head + "-1 2 0\n") == ", line 2: a size is negative");
    REQUIRE(said_of(head + "2 2 2147483648\n") == ", line 2: there are more than 2147483647 entries");
    REQUIRE(said_of(head + "2147483648 2 0\n").find("no number that fits") != std::string::npos);
    REQUIRE(said_of(head + "2147483647 2 0\n") == ", line 2: there are too many rows");
    REQUIRE(said_of("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n").find("as many rows as columns") !=
            std::string::npos);
    REQUIRE(said_of(head + "% 1\n2 2 2\n1 1 1\n") == ", line 5: the file ends, and 1 of its entries are missing");
    for (const char* outside : {"0 1 1", "1 0 1", "3 1 1", "1 3 1", "-1 1 1"})
        REQUIRE(said_of(head + "2 2 1\n" + outside + "\n").find(" is outside of the 2 x 2 matrix") !=
                std::string::npos);
    REQUIRE(said_of(head + "2 2 1\n1 1\n") == ", line 3: the value is missing, or is no number that fits");
    REQUIRE(said_of(head + "2 2 1\n1 1 x\n").find("no number that fits") != std::string::npos);
    REQUIRE(said_of(head + "2 2 1\n1.5 1 1\n").find("the row is missing") != std::string::npos);
    for (const char* value : {"nan", "inf", "-inf", "1e39"})
        REQUIRE(said_of(head + "2 2 1\n1 1 " + value + "\n") == ", line 3: the value is no finite float");
    REQUIRE(said_of(head + "2 2 1\n1 1 1 1\n").find("more on the line") != std::string::npos);
    REQUIRE(said_of(head + "2 2 1\n1 1 1\n2 2 2\n") == ", line 4: the file goes on behind its last entry");
    REQUIRE(said_of(head + "2 2 2\n2 1 1\n2 1 2\n") == ": row 2, column 1 is given twice");
}

TEST_CASE("sparse prints every stage for every kind, and how long the rows are", "[16_sparse]") {
    const Outcome result = run(program("16_sparse", "sparse") + " --n 500 --repeat 1");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    for (const char* kind : {"banded", "uniform", "power", "empty"})
        REQUIRE(result.out.find("\n" + std::string(kind) + ": 500 rows, ") != std::string::npos);
    for (const auto& stage : sparse::stages) {
        CAPTURE(stage.name);
        REQUIRE(result.out.find(row_of(stage.name)) != std::string::npos);
    }
    REQUIRE(result.out.find("\nThe longest row has 8 entries; 0 of 500 rows are empty.\n") != std::string::npos);
}

TEST_CASE("sparse's options", "[16_sparse]") {
    const std::string sparse_program = program("16_sparse", "sparse");

    SECTION("one kind, one entry per row") {
        const Outcome result = run(sparse_program + " --n 100 --repeat 1 --matrix banded --mean 1 --stage 3");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find("\nbanded: 100 rows, 100 entries\n") != std::string::npos);
        REQUIRE(result.out.find("power") == std::string::npos);
    }
    SECTION("a file") {
        const Outcome result =
            run(sparse_program + " --repeat 1 --matrix " +
                written("%%MatrixMarket matrix coordinate real general\n4 5 3\n3 5 -1.5e1\n1 2 2\n3 1 .25\n"));
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
        REQUIRE(result.out.find(": 4 rows, 3 entries\n") != std::string::npos);
        REQUIRE(result.out.ends_with("The longest row has 2 entries; 2 of 4 rows are empty.\n"));
    }
    SECTION("bad input is refused in one line") {
        const std::string bad = written("%%MatrixMarket matrix coordinate real general\n4 5 1\n5 5 1\n");
        for (const std::string& options :
             {std::string("--matrix no_such_kind"), "--matrix " + bad, std::string("--n 2^40"), std::string("--mean 0"),
              std::string("--mean 2^31"), std::string("--n 2^20 --mean 2^12"), std::string("--n 2^31")}) {
            const Outcome result = run(sparse_program + " --repeat 1 " + options);
            CAPTURE(options, result.out, result.err);
            REQUIRE(result.exit_code == 2);
            REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
        }
    }
}
