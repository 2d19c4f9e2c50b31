#include "harness/table.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "harness/output.h"
#include "harness/text.h"

namespace {

constexpr std::size_t number_width = 14, longest_bar = 50;

/// Prints a row: the numbers at the right, and the name in the rest of the line.
void print_row(std::string_view name, const std::vector<std::string>& cells) {
    std::string line = left(name, line_width - number_width * cells.size());
    for (const std::string& cell : cells) line += right(cell, number_width);
    std::printf("%s\n", line.c_str());
    flush_output();
}

}  // namespace

Table::Table(std::string chapter, std::string title, std::string rows, std::vector<std::string> columns, bool curve)
    : chapter_(std::move(chapter)),
      title_(std::move(title)),
      rows_are_(std::move(rows)),
      columns_(std::move(columns)),
      curve_(curve) {
    std::printf("\n%s\n\n", wrapped(title_).c_str());
    print_row(rows_are_, columns_);
}

void Table::add(const std::string& name, const std::vector<double>& numbers) {
    rows_.push_back({name, numbers});
    std::vector<std::string> cells;
    for (const double number : numbers) {
        char text[32];
        std::snprintf(text, sizeof text, "%.3g", number);
        cells.push_back(text);
    }
    print_row(name, cells);
}

void Table::draw() const {
    double longest = 0;
    for (const Row& row : rows_) longest = std::max(longest, *std::max_element(row.numbers.begin(), row.numbers.end()));
    std::printf("\n");
    for (const Row& row : rows_)
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            std::printf("%4s %-10s", i == 0 ? row.name.c_str() : "", columns_[i].c_str());
            for (int bar = 0; bar < longest_bar * row.numbers[i] / longest; ++bar) std::printf("█");
            std::printf(" %.3g\n", row.numbers[i]);
        }
}
