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
    answer_follows();

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
    constexpr unsigned long steps = 16;
    heat_and_compare(1 << 14, steps);
    require(call().launches >= 2 * steps,
            std::to_string(call().launches) + " launches for 16 steps: each half of each step has a launch of its own");
    require(call().on_default == 0, std::to_string(call().on_default) +
                                        " launches are on the default stream: each half has a stream of its own, "
                                        "left or right, which is the last argument of launch_part()");
    require(call().streams > 1,
            "all launches are on one stream, where each waits for the one before: each half has a stream of its own");
    require(call().host_waits <= 8, "the host waited for the device " + std::to_string(call().host_waits) +
                                        " times: the streams are to wait for each other, and the host only at the end");
    const unsigned long apart = std::min(call().beside_others, steps);
    require(apart == steps,
            "the two halves may run at the same time in " + std::to_string(apart) +
                " of 16 steps: in the others one half waits for the other one of the same step. Both are to wait "
                "before the first of the two is launched, and both events to be recorded behind the second");
}
