#include "checker.h"

#include <cmath>
#include <cstdio>

using namespace exercise;

void draw(int* pixels, int width, int height);

namespace {

int steps_to_escape(float re, float im) {
    for (int step = 1; step <= 40; ++step) {
        const float next = std::fma(re, re, std::fma(-im, im, -0.8f));
        im = std::fma(re + re, im, 0.156f);
        re = next;
        if (!(std::fma(re, re, im * im) <= 1000)) return step;
    }
    return 0;
}

float position(int i, int size) {
    return 3.0f * static_cast<float>(i) / static_cast<float>(size) - 1.5f;
}

std::vector<int> draw_and_compare(int width, int height) {
    Output<int> pixels("pixels", static_cast<std::size_t>(width) * height);
    draw(pixels.data(), width, height);
    finish();

    std::vector<int> expected;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) expected.push_back(steps_to_escape(position(x, width), position(y, height)));
    pixels.require_same(expected);
    return expected;
}

struct Size {
    int width, height;
};

// A letter is about twice as high as wide.
void print(int width, int height) {
    const std::vector<int> steps = draw_and_compare(width, height);
    const char shades[] = " .:-=+*%";
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const int s = steps[y * width + x];
            std::putchar(s == 0 || s > 24 ? '#' : shades[s / 4]);
        }
        std::putchar('\n');
    }
}

}  // namespace

void check() {
    for (const Size size : {Size{16, 16},
                            {1, 1},
                            {17, 15},
                            {33, 257},
                            {100, 60},
                            {255, 3},
                            {3, 255},
                            {1009, 2},
                            {1, 700},
                            {700, 1},
                            {31, 33},
                            {1300, 2},
                            {2, 1300},
                            {1, 70'001},  // more rows than a grid has blocks in y
                            {300, 250},
                            {random_size(2, 200), random_size(2, 100)}})
        for_case(std::to_string(size.width) + " × " + std::to_string(size.height) + " pixels",
                 [&] { draw_and_compare(size.width, size.height); });
    print(72, 12);
}

void counted() {
    draw_and_compare(256, 256);
}
