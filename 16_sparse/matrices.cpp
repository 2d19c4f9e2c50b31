#include "matrices.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <string_view>

#include "common/errors.h"

namespace sparse {
namespace {

using Generator = std::mt19937_64;

constexpr std::int64_t most = std::numeric_limits<int>::max();

void require_few_enough(std::int64_t entries) {
    if (entries > most)
        throw usage_error("the matrix would have " + std::to_string(entries) + " entries, and " + std::to_string(most) +
                          " is the most: choose fewer rows, or fewer entries per row");
}

/// Zipf's law: the second longest row has half as many entries as the longest, the third a third, and so on, up to all
/// columns. The rows come in random order.
std::vector<int> power_law(int rows, int mean, Generator& generator) {
    double harmonic = 0;
    for (int rank = 1; rank <= rows; ++rank) harmonic += 1.0 / rank;
    const double longest = static_cast<double>(mean) * rows / harmonic;

    std::vector<int> lengths(rows);
    double end = 0;
    for (int rank = 1; rank <= rows;
         ++rank) {  // The fractions add up, so that the short rows are not all rounded down.
        const double begin = end;
        end += longest / rank;
        lengths[rank - 1] = static_cast<int>(std::min<double>(rows, std::floor(end) - std::floor(begin)));
    }
    std::shuffle(lengths.begin(), lengths.end(), generator);
    return lengths;
}

/// How many entries each row has, at most as many as columns.
std::vector<int> random_lengths(const std::string& kind, int rows, int mean, Generator& generator) {
    if (kind == "power") return power_law(rows, mean, generator);
    std::vector<int> lengths(rows);
    if (kind == "uniform") {
        std::uniform_int_distribution<int> length(mean - mean / 2, mean + mean / 2);
        for (int& row : lengths) row = std::min(rows, length(generator));
    } else if (kind == "empty") {
        std::uniform_int_distribution<int> tenth(0, 9);
        for (int& row : lengths)
            row = tenth(generator) == 0 ? static_cast<int>(std::min<std::int64_t>(rows, 10LL * mean)) : 0;
    } else {
        throw usage_error("there are no " + kind + " matrices: choose banded, uniform, power or empty");
    }
    return lengths;
}

/// Adds `count` different columns of `width`, in ascending order.
void add_random_columns(int count, int width, Generator& generator, std::vector<int>& columns) {
    const auto begin = static_cast<std::ptrdiff_t>(columns.size());
    if (count > width / 8) {  // each column in turn, with the probability that the rest still needs
        for (int column = 0, needed = count; needed > 0; ++column)
            if (std::uniform_int_distribution<int>(0, width - column - 1)(generator) < needed) {
                columns.push_back(column);
                --needed;
            }
        return;
    }
    std::uniform_int_distribution<int> any(0, width - 1);
    while (static_cast<std::ptrdiff_t>(columns.size()) - begin < count) {  // again for those that came twice
        while (static_cast<std::ptrdiff_t>(columns.size()) - begin < count) columns.push_back(any(generator));
        std::sort(columns.begin() + begin, columns.end());
        columns.erase(std::unique(columns.begin() + begin, columns.end()), columns.end());
    }
}

Csr with_row_lengths(std::span<const int> lengths, int width) {
    Csr a;
    a.rows = static_cast<int>(lengths.size());
    a.width = width;
    std::int64_t entries = 0;
    for (const int length : lengths) {
        require_few_enough(entries += length);
        a.row_starts.push_back(static_cast<int>(entries));
    }
    return a;
}

/// Up to `mean` columns around the diagonal, fewer in the corners.
std::vector<int> band_begins(int rows, int mean) {
    std::vector<int> begins(rows);
    for (int row = 0; row < rows; ++row) begins[row] = std::max(0, row - mean / 2);
    return begins;
}

Csr banded(int rows, int mean) {
    const std::vector<int> begins = band_begins(rows, mean);
    std::vector<int> lengths(rows);
    for (int row = 0; row < rows; ++row)
        lengths[row] =
            static_cast<int>(std::min<std::int64_t>(rows, std::int64_t{row} - mean / 2 + mean)) - begins[row];
    Csr a = with_row_lengths(lengths, rows);
    a.columns.resize(a.entries());
    for (int row = 0; row < rows; ++row)
        std::iota(a.columns.begin() + a.row_starts[row], a.columns.begin() + a.row_starts[row + 1], begins[row]);
    return a;
}

}  // namespace

Csr random_matrix(const std::string& kind, int rows, int mean, std::uint64_t seed) {
    Generator generator(seed);
    Csr a;
    if (kind == "banded") {
        a = banded(rows, mean);
    } else {
        const std::vector<int> lengths = random_lengths(kind, rows, mean, generator);
        a = with_row_lengths(lengths, rows);
        a.columns.reserve(a.entries());
        for (const int length : lengths) add_random_columns(length, rows, generator, a.columns);
    }
    std::uniform_real_distribution<float> value(-1, 1);
    a.values.resize(a.entries());
    for (float& v : a.values) v = value(generator);
    return a;
}

namespace {

/// Reads a Matrix Market file line by line. What it throws names the file and the line.
class MarketFile {
  public:
    explicit MarketFile(const std::string& path) : path_(path), file_(path) {
        if (!file_) throw usage_error("cannot read " + path);
    }

    [[noreturn]] void complain(const std::string& what) const {
        throw usage_error(path_ + ", line " + std::to_string(line_number_) + ": " + what);
    }

    /// The next line, whatever it holds; false at the end of the file.
    bool next_line() {
        ++line_number_;
        if (!std::getline(file_, line_)) return false;
        rest_ = line_;
        return true;
    }

    /// The next line that is neither empty nor a comment. `missing`: what the file lacks where there is none.
    void next_line_of_numbers(const std::string& missing) {
        do
            if (!next_line()) complain("the file ends, and " + missing);
        while (holds_no_numbers());
    }

    /// Whether the line is empty or a comment.
    bool holds_no_numbers() const { return line_.starts_with('%') || line_.find_first_not_of(" \t\r") == line_.npos; }

    /// The next word of the line, in small letters; empty at its end.
    std::string word() {
        const std::string_view text = next();
        std::string small(text);
        for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return small;
    }

    /// The next word of the line as a number.
    template <class Number>
    Number number(const std::string& what) {
        std::string_view text = next();
        if (text.starts_with('+')) text.remove_prefix(1);
        Number value{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size() || text.empty())
            complain(what + " is missing, or is no number that fits");
        return value;
    }

    void require_end_of_line() {
        if (!next().empty()) complain("there is more on the line than belongs there");
    }

  private:
    std::string_view next() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size()));
        const std::string_view text = rest_.substr(0, rest_.find_first_of(" \t\r"));
        rest_.remove_prefix(text.size());
        return text;
    }

    std::string path_, line_;
    std::ifstream file_;
    std::string_view rest_;
    long line_number_ = 0;
};

struct Entry {
    int row, column;
    float value;
};

/// The entries in the order of a CSR. Throws usage_error where two are for the same place.
Csr to_csr(int rows, int width, std::vector<Entry> entries, const std::string& path) {
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
    const auto twice = std::adjacent_find(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.row == b.row && a.column == b.column;
    });
    if (twice != entries.end())
        throw usage_error(path + ": row " + std::to_string(twice->row + 1) + ", column " +
                          std::to_string(twice->column + 1) + " is given twice");

    std::vector<int> lengths(rows);
    for (const Entry& entry : entries) ++lengths[entry.row];
    Csr a = with_row_lengths(lengths, width);
    for (const Entry& entry : entries) {
        a.columns.push_back(entry.column);
        a.values.push_back(entry.value);
    }
    return a;
}

}  // namespace

Csr read_matrix_market(const std::string& path) {
    MarketFile file(path);
    if (!file.next_line() || file.word() != "%%matrixmarket" || file.word() != "matrix")
        file.complain("this is no Matrix Market file: they begin with a line that says MatrixMarket matrix");
    if (file.word() != "coordinate") file.complain("the matrix is not sparse: only \"coordinate\" is read");
    const std::string field = file.word(), symmetry = file.word();
    if (field != "real" && field != "integer" && field != "pattern")
        file.complain("the numbers must be real, integer or pattern");
    if (symmetry != "general" && symmetry != "symmetric") file.complain("the matrix must be general or symmetric");
    file.require_end_of_line();

    file.next_line_of_numbers("says no size");
    const auto rows = file.number<int>("the number of rows"), width = file.number<int>("the number of columns");
    const auto entries = file.number<std::int64_t>("the number of entries");
    file.require_end_of_line();
    if (rows < 0 || width < 0 || entries < 0) file.complain("a size is negative");
    if (symmetry == "symmetric" && rows != width) file.complain("a symmetric matrix has as many rows as columns");
    if (rows == most) file.complain("there are too many rows");
    if (entries > most) file.complain("there are more than " + std::to_string(most) + " entries");

    std::vector<Entry> all;
    for (std::int64_t i = 0; i < entries; ++i) {
        file.next_line_of_numbers(std::to_string(entries - i) + " of its entries are missing");
        const auto row = file.number<int>("the row"), column = file.number<int>("the column");
        const auto value = static_cast<float>(field == "pattern" ? 1 : file.number<double>("the value"));
        file.require_end_of_line();
        if (row < 1 || row > rows || column < 1 || column > width)
            file.complain("row " + std::to_string(row) + ", column " + std::to_string(column) + " is outside of the " +
                          std::to_string(rows) + " x " + std::to_string(width) + " matrix");
        if (!std::isfinite(value)) file.complain("the value is no finite float");
        all.push_back({row - 1, column - 1, value});
        if (symmetry == "symmetric" && row != column) all.push_back({column - 1, row - 1, value});
    }
    while (file.next_line())
        if (!file.holds_no_numbers()) file.complain("the file goes on behind its last entry");
    require_few_enough(static_cast<std::int64_t>(all.size()));
    return to_csr(rows, width, std::move(all), path);
}

}  // namespace sparse
