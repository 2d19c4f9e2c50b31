#include "checker.h"

#include <cmath>

using namespace exercise;

void julia(const float* re, const float* im, int n, int iterations, int* stays);

namespace {

int stays_inside(float x, float y, int iterations) {
    for (int step = 0; step < iterations; ++step) {
        const float next = std::fma(x, x, std::fma(-y, y, -0.8f));
        y = std::fma(x + x, y, 0.156f);
        x = next;
        if (!(std::fma(x, x, y * y) <= 1000)) return 0;
    }
    return 1;
}

// Most of them in the picture, where some need long to escape; some far outside.
std::vector<float> random_coordinates(int n, int largest) {
    std::vector<float> values;
    for (const int value : random_values<int>(n, -largest, largest)) values.push_back(static_cast<float>(value) / 1024);
    return values;
}

void draw_and_compare(int n, int iterations, int largest) {
    Input<float> re("re", random_coordinates(n, largest));
    Input<float> im("im", random_coordinates(n, largest * 2 / 3));
    Output<int> stays("stays", n);

    julia(re.data(), im.data(), n, iterations, stays.data());
    finish();

    std::vector<int> expected;
    for (int i = 0; i < n; ++i) expected.push_back(stays_inside(re.values[i], im.values[i], iterations));
    stays.require_same(expected);
    re.require_unchanged();
    im.require_unchanged();
}

}  // namespace

void check() {
    for_case("far outside, iterations = 16", [] { draw_and_compare(1000, 16, 100 * 1024); });
    for (const int iterations : {1, 2, 7, 8, 9, 12, 15, 16, 17, 20, 31, 100})
        for_case("iterations = " + std::to_string(iterations), [&] { draw_and_compare(5000, iterations, 3 * 512); });
    for_each_size([](int n) { draw_and_compare(n, 20, 3 * 512); });
}

void counted() {
    draw_and_compare(4096, 32, 3 * 512);
}
