#include "checker.h"

using namespace exercise;

void heat_bar(const float* start, float* first, float* second, int n, int steps);

namespace {

void heat_and_compare(int n, int steps) {
    // Whole numbers below 128: after 8 steps at most all temperatures are floats, whatever is fused.
    const std::vector<int> random = random_values<int>(n, 0, 120);
    Input<float> start("start", {random.begin(), random.end()});
    Output<float> first("first", n);
    Output<float> second("second", n);
    CUDA_CHECK(cudaDeviceSynchronize());  // what fills the arrays is on the default stream

    heat_bar(start.data(), first.data(), second.data(), n, steps);
    finish();

    std::vector<float> expected = start.values;
    for (int step = 0; step < steps; ++step) {
        const std::vector<float> before = expected;
        for (int i = 1; i < n - 1; ++i) expected[i] = 0.5f * before[i] + 0.25f * (before[i - 1] + before[i + 1]);
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
    heat_and_compare(1 << 14, 16);
}
