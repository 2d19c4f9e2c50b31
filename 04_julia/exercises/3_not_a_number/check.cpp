#include "checker.h"

#include <cmath>
#include <limits>

using namespace exercise;

void julia(const float* re, const float* im, int n, int iterations, int* stays);

namespace {

// 1 or 0, or `rounding_decides` where it depends on how |z|² is rounded: x · x + y · y may be computed in three ways.
constexpr int rounding_decides = -1;

int stays_inside(float x, float y, int iterations) {
    for (int step = 0; step < iterations; ++step) {
        const float next = std::fma(x, x, std::fma(-y, y, -0.8f));
        y = std::fma(x + x, y, 0.156f);
        x = next;
        const bool inside = std::fma(x, x, y * y) <= 1000;
        if (inside != (std::fma(y, y, x * x) <= 1000) || inside != (x * x + y * y <= 1000)) return rounding_decides;
        if (!inside) return 0;
    }
    return 1;
}

// Most of them in the picture, where some need long to escape; some far outside.
std::vector<float> random_coordinates(int n, int largest) {
    std::vector<float> values;
    for (const int value : random_values<int>(n, -largest, largest)) values.push_back(static_cast<float>(value) / 1024);
    return values;
}

struct Points {
    std::vector<float> re, im;
};

Points random_points(int n, int largest) {
    return {random_coordinates(n, largest), random_coordinates(n, largest * 2 / 3)};
}

// Neighbours among the floats, of which one just stays and the other one just does not.
Points points_at_the_edge(int n, int iterations) {
    Points points = random_points(n, 3 * 512);
    for (int i = 0; i + 1 < n; i += 2) {
        float inside = 0, outside = 8;
        for (float middle = 4; inside < middle && middle < outside; middle = inside + (outside - inside) / 2)
            (stays_inside(middle, points.im[i], iterations) == 1 ? inside : outside) = middle;
        points.re[i] = inside;
        points.re[i + 1] = outside;
        points.im[i + 1] = points.im[i];
    }
    return points;
}

// Of which one step makes a NaN in x, in y or in both, or none. One point stays.
Points points_at_infinity() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    return {{0, infinity, 0, -infinity, infinity, 3e38f}, {0, 0, infinity, 1, infinity, 0}};
}

void draw_and_compare(Points points, int iterations) {
    const int n = static_cast<int>(points.re.size());
    for (int i = 0; i < n; ++i)
        if (stays_inside(points.re[i], points.im[i], iterations) == rounding_decides) points.re[i] = points.im[i] = 0;
    Input<float> re("re", points.re);
    Input<float> im("im", points.im);
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
    for_case("far outside, iterations = 16", [] { draw_and_compare(random_points(1000, 100 * 1024), 16); });
    for (const int iterations : {1, 2, 7, 8, 9, 12, 15, 16, 17, 20, 31, 300})
        for_case("iterations = " + std::to_string(iterations),
                 [&] { draw_and_compare(random_points(5000, 3 * 512), iterations); });
    for (const int iterations : {1, 2, 8, 9, 20})
        for_case("points at the edge, iterations = " + std::to_string(iterations),
                 [&] { draw_and_compare(points_at_the_edge(1000, iterations), iterations); });
    for_case("infinity, iterations = 1", [] { draw_and_compare(points_at_infinity(), 1); });
    for_each_size([](int n) { draw_and_compare(random_points(n, 3 * 512), 20); }, {70'001});
}

void counted() {
    draw_and_compare(random_points(4096, 3 * 512), 32);
}
