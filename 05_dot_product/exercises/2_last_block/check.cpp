#include "checker.h"

#include <cmath>
#include <cstring>

using namespace exercise;

void dot(const float* a, const float* b, int n, float* result, float* block_sums, unsigned* arrived);
void slow_down(unsigned block);

namespace {

constexpr unsigned none = ~0u;

// One for all calls: what a call leaves there, the next one finds.
DeviceBuffer<unsigned>& counter() {
    static auto arrived = DeviceBuffer<unsigned>::from_host(std::vector<unsigned>{0});
    return arrived;
}

// Once more with each of those blocks as the slow one, which must not change a bit of the result.
void multiply_and_compare(int n, std::initializer_list<unsigned> other_slow_blocks) {
    DeviceBuffer<unsigned>& arrived = counter();
    Input<float> a("a", similar_values<float>(n));
    Input<float> b("b", similar_values<float>(n));
    Output<float> block_sums("block_sums", 32);
    Output<float> result("result", 1);

    slow_down(1);
    dot(a.data(), b.data(), n, result.data(), block_sums.data(), arrived.data());
    finish();

    double expected = 0, magnitude = 0;
    for (int i = 0; i < n; ++i) {
        expected += double{a.values[i]} * b.values[i];
        magnitude += std::abs(double{a.values[i]} * b.values[i]);
    }
    // Each product takes part in 96 roundings at most. A product that is missing is 1 or more.
    require_near("result", result.values()[0], expected, 96 * magnitude / (1 << 24));
    require_same("arrived", arrived.to_host(), {0});
    for (const unsigned slow : other_slow_blocks) {
        const float before = result.values()[0];
        slow_down(slow);
        dot(a.data(), b.data(), n, result.data(), block_sums.data(), arrived.data());
        finish();
        const float now = result.values()[0];
        require(std::memcmp(&before, &now, sizeof now) == 0,
                (slow == none ? "once more" : "when block " + std::to_string(slow) + " comes last") +
                    " the result is " + std::to_string(now) + ", and before it was " + std::to_string(before) +
                    ": the order of the additions must not depend on which block comes last");
    }
    a.require_unchanged();
    b.require_unchanged();
}

}  // namespace

void check() {
    require_acquire_fences();
    interleave_atomics();
    counter();  // made before the first case, which must keep nothing
    for_each_size([](int n) { multiply_and_compare(n, {}); });
    for_sizes(
        {4096, 10'000},
        [](int n) {
            multiply_and_compare(n, {5, 14});
        },
        "each time another slow block");
    for_sizes(
        {257, 4096},
        [](int n) {
            multiply_and_compare(n, {none, none, none, none, none, none, none, none});
        },
        "no block is slow");
}

void counted() {
    multiply_and_compare(1 << 14, {});
}
