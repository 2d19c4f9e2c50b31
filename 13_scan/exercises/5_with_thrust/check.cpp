#include "checker.h"

using namespace exercise;

int find_stuck(const int* readings, int n, int shortest, int* begins, int* lengths);

namespace {

constexpr int guard = 64;  // values behind what the answer may read or write

struct Runs {
    std::vector<int> begins, lengths;
};

Runs runs_of(const std::vector<int>& readings, int n, int shortest) {
    Runs found;
    for (int begin = 0, end = 0; begin < n; begin = end) {
        while (end < n && readings[end] == readings[begin]) ++end;
        if (end - begin < shortest) continue;
        found.begins.push_back(begin);
        found.lengths.push_back(end - begin);
    }
    return found;
}

// n readings in runs of up to `longest`, of few values, so that a value comes again in other runs. What stands behind
// them would make the last run longer.
std::vector<int> random_readings(int n, int longest) {
    std::vector<int> readings;
    while (readings.size() < static_cast<std::size_t>(n)) {
        const int value = random_values<int>(1, -2, 2)[0], length = random_values<int>(1, 1, longest)[0];
        readings.insert(readings.end(), length, value);
    }
    readings.resize(n);
    readings.resize(n + guard, n > 0 ? readings.back() : 0);
    return readings;
}

void require_runs(const char* name, const Output<int>& output, int room, const std::vector<int>& expected) {
    const std::vector<int> written = output.values();
    const auto is_written = [](int value) { return value != -1; };
    const std::string array = name;
    require(std::none_of(written.begin() + room, written.end(), is_written),
            array + " has room for " + std::to_string(room) + " numbers, and your function wrote behind them");
    require_same(name, {written.begin(), written.begin() + expected.size()}, expected);
    require(std::none_of(written.begin() + expected.size(), written.end(), is_written),
            array + " holds numbers behind the last run, where none are expected");
}

void find_and_compare(const std::vector<int>& values, int shortest) {
    const int n = static_cast<int>(values.size()) - guard, room = n / shortest;
    Input<int> readings("readings", values);
    Output<int> begins("begins", room + guard);
    Output<int> lengths("lengths", room + guard);

    const int number = find_stuck(readings.data(), n, shortest, begins.data(), lengths.data());
    finish();

    const Runs expected = runs_of(values, n, shortest);
    require_runs("begins", begins, room, expected.begins);
    require_runs("lengths", lengths, room, expected.lengths);
    require(number == static_cast<int>(expected.begins.size()),
            "find_stuck() returned " + std::to_string(number) + ", and there are " +
                std::to_string(expected.begins.size()) + " such runs");
    readings.require_unchanged();
}

}  // namespace

void check() {
    for_sizes({1, 31, 32, 33, 255, 256, 257, 1009, 4096, 10'000},
              [](int n) { find_and_compare(random_readings(n, 9), 4); });
    for_case("no readings", [] { find_and_compare(random_readings(0, 9), 4); });
    for_case("each run counts", [] { find_and_compare(random_readings(1009, 3), 1); });
    for_case("no run is long enough", [] { find_and_compare(random_readings(1009, 2), 1000); });
    for_case("one run", [] { find_and_compare(std::vector<int>(257 + guard, 7), 257); });
}

void counted() {
    find_and_compare(random_readings(1 << 14, 9), 4);
    require(call().algorithms > 0, "none of Thrust's algorithms ran on the device");
    require(
        call().algorithms <= 16,
        std::to_string(call().algorithms) +
            " calls of Thrust, and each element that the host reads or writes by itself is one: at most 16 are asked "
            "for");
}
