// Timelines as text, and as JSON for ./lab bench.

#include "timeline.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "harness/json.h"
#include "harness/text.h"

namespace {

constexpr std::size_t name_width = 15, slots = 64;

char digit_at(const std::vector<Operation>& row, double time) {
    for (const Operation& operation : row)
        if (operation.begin <= time && time < operation.end) return static_cast<char>('0' + operation.piece % 10);
    return '.';
}

}  // namespace

std::string drawn(const Timeline& timeline, double milliseconds) {
    std::string text;
    for (std::size_t r = 0; r < timeline.rows.size(); ++r) {
        text += left(timeline_rows[r], name_width);
        for (std::size_t slot = 0; slot < slots; ++slot)
            text += digit_at(timeline.rows[r], (static_cast<double>(slot) + 0.5) * milliseconds / slots);
        text += '\n';
    }
    return text;
}

double end_of(const Timeline& timeline) {
    double end = 0;
    for (const std::vector<Operation>& row : timeline.rows)
        for (const Operation& operation : row) end = std::max(end, operation.end);
    return end;
}

void write(const std::string& path, const Table& table, std::span<const Timeline> timelines) {
    if (path.empty()) return;

    using Json = nlohmann::ordered_json;
    Json file = table.to_json(), all = Json::array();
    for (const Timeline& timeline : timelines) {
        Json rows = Json::array();
        for (std::size_t r = 0; r < timeline.rows.size(); ++r) {
            Json operations = Json::array();
            for (const Operation& o : timeline.rows[r]) operations.push_back(Json::array({o.piece, o.begin, o.end}));
            rows.push_back({{"name", timeline_rows[r]}, {"operations", operations}});
        }
        all.push_back({{"title", timeline.title}, {"rows", rows}});
    }
    file["timelines"] = all;
    write_json(path, file);
}
