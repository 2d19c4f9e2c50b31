// Multiplies sparse matrices of several kinds with a vector, by every stage, and prints what each one costs, and how
// unlike the rows are.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/device_buffer.h"
#include "common/memory.h"
#include "common/verify.h"
#include "harness/report.h"
#include "matrices.h"
#include "sparse.h"

namespace {

using sparse::Csr;
using sparse::Stage;

const Chapter chapter{
    .name = "16_sparse",
    .about = "y = A·x with a sparse matrix, where one row may have a million times the work of another.",
    .n = std::size_t{1} << 20,
    .unit = "rows",
    .bench_sizes = {1 << 12, 1 << 16, 1 << 18, 1 << 20, 1 << 22},
    .n_on_emulator = 1 << 13};

/// The first one stands for the chapter where only one can.
const std::vector<std::string> kinds = {"power", "banded", "uniform", "empty"};

/// The chapter's own options, as they were given.
struct Own {
    std::vector<std::string> matrices = kinds;
    std::string mean = "8";
};

/// One matrix, and a vector of random numbers from -1 to 1.
class Multiplication : public Trial<Stage> {
  public:
    Multiplication(const Csr& a, std::uint64_t seed)
        : a_(a),
          x_(a.width),
          y_(a.rows),
          d_row_starts_(a.row_starts.size()),
          d_columns_(a.columns.size()),
          d_values_(a.values.size()),
          d_x_(x_.size()),
          d_y_(y_.size()) {
        std::mt19937_64 generator(seed + 1);
        std::uniform_real_distribution<float> between(-1, 1);
        for (float& value : x_) value = between(generator);
        exact_ = sparse::exact(a_, x_);
        for (const sparse::Exact& row : exact_) largest_ = std::max(largest_, std::abs(row.value));
    }

    void on_host() override { stage().on_host(a_, x_, y_); }

    void upload() override {
        d_row_starts_.copy_from(a_.row_starts);
        d_columns_.copy_from(a_.columns);
        d_values_.copy_from(a_.values);
        d_x_.copy_from(x_);
    }

    void launch() override { stage().launch(on_device(), d_x_.data(), d_y_.data()); }
    void download() override { d_y_.copy_to(y_); }

    void poison() override {
        std::fill(y_.begin(), y_.end(), std::numeric_limits<float>::quiet_NaN());
        d_y_.poison();
    }

    std::optional<double> verify() override {
        double error = 0;
        for (int row = 0; row < a_.rows; ++row) {
            const std::size_t k = a_.row_starts[row + 1] - a_.row_starts[row];
            const double bound = sparse::error_bound(exact_[row], k, stage().roundings(on_device(), k));
            if (!(std::abs(y_[row] - exact_[row].value) <= bound))
                require_within(std::string(stage().name) + ", row " + std::to_string(row), y_[row], exact_[row].value,
                               bound);
            error = std::max(error, std::abs(y_[row] - exact_[row].value));
        }
        return error == 0 ? 0 : error / largest_;
    }

  private:
    sparse::Matrix on_device() const {
        return {a_.rows, a_.width, a_.entries(), d_row_starts_.data(), d_columns_.data(), d_values_.data()};
    }

    const Csr& a_;
    std::vector<float> x_, y_;
    DeviceBuffer<int> d_row_starts_, d_columns_;
    DeviceBuffer<float> d_values_, d_x_, d_y_;
    std::vector<sparse::Exact> exact_;
    double largest_ = 0;  // of the exact sums
};

void run(const std::string& name, const Csr& a, const Options& options, Report& report) {
    const auto entries = static_cast<std::size_t>(a.entries()), rows = static_cast<std::size_t>(a.rows);
    int longest = 0;
    std::size_t empty = 0;
    for (int row = 0; row < a.rows; ++row) {
        const int k = a.row_starts[row + 1] - a.row_starts[row];
        longest = std::max(longest, k);
        empty += k == 0;
    }
    constexpr int most = 1 << 23;
    if (longest > most)
        throw usage_error(name + ": a row has " + with_separators(longest) +
                          " entries, and such a sum says nothing in float: " + with_separators(most) + " is the most");
    require_memory(8.0 * entries + 4.0 * (a.width + 2.0 * rows), 8.0 * entries + 4.0 * a.width + 30.0 * rows);

    Multiplication trial(a, options.seed);
    report.begin(name + ": " + with_separators(rows) + " rows, " + with_separators(entries) + " entries", rows,
                 {.bytes = sparse::bytes_moved(a.rows, a.width, a.entries())});
    report.run(sparse::stages, trial);
    std::printf("\nThe longest row has %s entries; %s of %s rows are empty.\n", with_separators(longest).c_str(),
                with_separators(empty).c_str(), with_separators(rows).c_str());
}

int parse_int(const std::string& option, std::size_t value) {
    constexpr std::size_t most = std::numeric_limits<int>::max() - 1;
    if (value > most) throw usage_error(option + " " + std::to_string(value) + ": at most " + std::to_string(most));
    return static_cast<int>(value);
}

bool is_kind(const std::string& matrix) {
    return std::find(kinds.begin(), kinds.end(), matrix) != kinds.end();
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        Own own;
        const Options options = read_options(argc, argv, chapter, names_of(sparse::stages), [&](CommandLine& line) {
            line.list("--matrix", own.matrices,
                      "Which matrices: banded, uniform, power, empty (default: these four), or the path of a Matrix "
                      "Market file");
            line.option("--mean", own.mean, "How many entries a row has on average (default: 8)");
        });
        const int mean = parse_int("--mean", parse_count("--mean", own.mean));
        std::vector<std::pair<std::string, Csr>> files;  // all read before any work, as they may be wrong
        for (const std::string& matrix : own.matrices)
            if (!is_kind(matrix)) files.emplace_back(matrix, sparse::read_matrix_market(matrix));

        Report report(chapter, options);
        for (const std::size_t n : options.sizes) {
            const int rows = parse_int("--n", n);
            require_memory(8.0 * rows * mean + 12.0 * rows, 8.0 * rows * mean + 50.0 * rows);
            for (const std::string& kind : kinds)
                if (std::find(own.matrices.begin(), own.matrices.end(), kind) != own.matrices.end())
                    run(kind, sparse::random_matrix(kind, rows, mean, options.seed), options, report);
        }
        for (const auto& [path, matrix] : files) run(path, matrix, options, report);
        report.write();
    });
}
