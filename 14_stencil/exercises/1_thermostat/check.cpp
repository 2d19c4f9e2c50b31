#include "checker.h"

using namespace exercise;

void heat_bar(const float* start, float* first, float* second, int n, int steps, float wanted, float hot, float cold);

namespace {

// Whole numbers below 128: after 8 steps at most all temperatures are floats, whatever is fused.
void heat_and_compare(int n, int steps) {
    constexpr float wanted = 60, hot = 96, cold = 24;
    const std::vector<int> random = random_values<int>(n, 0, 120);
    Input<float> start("start", {random.begin(), random.end()});
    Output<float> first("first", n);
    Output<float> second("second", n);

    heat_bar(start.data(), first.data(), second.data(), n, steps, wanted, hot, cold);
    finish();

    std::vector<float> expected = start.values;
    for (int step = 0; step < steps && n > 0; ++step) {
        const std::vector<float> before = expected;
        for (int i = 1; i < n - 1; ++i) expected[i] = 0.5f * before[i] + 0.25f * (before[i - 1] + before[i + 1]);
        expected[0] = step == 0 || before[n / 2] < wanted ? hot : cold;
    }
    (steps % 2 == 0 ? second : first).require_same(expected);
    start.require_unchanged();
}

}  // namespace

void check() {
    for_each_size([](int n) { heat_and_compare(n, 5); });
    for_case("one step", [] { heat_and_compare(300, 1); });
    for_case("eight steps", [] { heat_and_compare(1009, 8); });
}

void counted() {
    heat_and_compare(1 << 14, 8);
    const auto before_steps = [](unsigned long n) { return "before " + std::to_string(n) + " of steps 2 to 8"; };
    require(call().behind_waits >= 7,
            "the host waited for the device " + before_steps(call().behind_waits) +
                ": only a wait tells it that the step before has ended, and neither volatile nor a fence does");
    require(call().behind_reads >= 7, "the host read what a kernel wrote " + before_steps(call().behind_reads) +
                                          ": keep the thermostat, which looks at the middle, on the host");
}
