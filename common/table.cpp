#include "common/table.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <utility>

#include "common/json.h"
#include "common/program.h"

namespace {

constexpr int name_width = 56, number_width = 14;

}  // namespace

Table::Table(std::string chapter, std::string title, std::string rows, std::vector<std::string> columns, bool curve)
    : chapter_(std::move(chapter)),
      title_(std::move(title)),
      rows_are_(std::move(rows)),
      columns_(std::move(columns)),
      curve_(curve) {
    std::printf("\n%s\n\n%-*s", title_.c_str(), name_width, rows_are_.c_str());
    for (const std::string& column : columns_) std::printf("%*s", number_width, column.c_str());
    std::printf("\n");
}

void Table::add(const std::string& name, const std::vector<double>& numbers) {
    rows_.push_back({name, numbers});
    std::printf("%-*s", name_width, name.c_str());
    for (const double number : numbers) std::printf("%*.3g", number_width, number);
    std::printf("\n");
    std::fflush(stdout);
}

void Table::draw() const {
    double longest = 0;
    for (const Row& row : rows_) longest = std::max(longest, *std::max_element(row.numbers.begin(), row.numbers.end()));
    std::printf("\n");
    for (const Row& row : rows_)
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            std::printf("%4s %-10s", i == 0 ? row.name.c_str() : "", columns_[i].c_str());
            for (int bar = 0; bar < 60 * row.numbers[i] / longest; ++bar) std::printf("█");
            std::printf(" %.3g\n", row.numbers[i]);
        }
}

void Table::write(const std::string& path) const {
    if (path.empty()) return;

    std::ostringstream out;
    out << "{\"chapter\": " << json_string(chapter_) << ",\n \"device\": " << device_json()
        << ",\n \"tables\": [{\"title\": " << json_string(title_) << ", \"curve\": " << (curve_ ? "true" : "false")
        << ",\n  \"header\": [" << json_string(rows_are_);
    for (const std::string& column : columns_) out << ", " << json_string(column);
    out << "],\n  \"rows\": [";
    for (const Row& row : rows_) {
        out << (&row == rows_.data() ? "" : ",") << "\n   [" << json_string(row.name);
        for (const double number : row.numbers) out << ", " << json_number(number);
        out << "]";
    }
    out << "]}]}\n";

    std::ofstream file(path);
    file << out.str();
    if (!file.flush()) throw usage_error("--json " + path + ": the file cannot be written");
}
