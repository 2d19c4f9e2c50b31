#include "checker.h"

#include <algorithm>

using namespace exercise;

void draw(const int4* host_discs, int count, int* heights, int width, int height);

namespace {

int random_number(int low, int high) {
    return random_values<int>(1, low, high)[0];
}

int squared_distance(int x, int y, const int4& disc) {
    return (x - disc.x) * (x - disc.x) + (y - disc.y) * (y - disc.y);
}

// Some beyond the edges, and some far away, whose edge goes through the picture; of all sizes; no two equally high.
// The last one is the highest, and over a pixel.
std::vector<int4> random_discs(int count, int width, int height) {
    std::vector<int4> discs(count);
    for (int i = 0; i < count; ++i) {
        const int x = random_number(0, width - 1), y = random_number(0, height - 1);
        const int radius = random_number(1, std::max(width, height) / 3 + 2);
        int4& disc = discs[i];
        if (i == count - 1) {
            disc = {x, y, 3 * i + 1, radius * radius};
            break;
        }
        if (i % 4 == 0) {
            disc = {random_number(-9999, 9999), random_number(-9999, 9999), 0, 0};
            disc.w = squared_distance(x, y, disc) + random_number(0, 1);
        } else {
            disc = {random_number(-5, width + 5), random_number(-5, height + 5), 0, 0};
            disc.w = std::max(1, radius * radius + random_number(-radius, radius));
        }
        const int other = random_number(0, i);
        disc.z = discs[other].z;
        discs[other].z = 3 * i + random_number(1, 3);
    }
    return discs;
}

void draw_and_compare(int width, int height, int count) {
    HostInput<int4> discs(random_discs(count, width, height));
    Output<int> heights("heights", static_cast<std::size_t>(width) * height);

    draw(discs.data(), count, heights.data(), width, height);
    finish();

    std::vector<int> expected;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int highest = 0;
            for (const int4& disc : discs.values)
                if (squared_distance(x, y, disc) < disc.w) highest = std::max(highest, disc.z);
            expected.push_back(highest);
        }
    heights.require_same(expected);
}

struct Size {
    int width, height;
};

}  // namespace

void check() {
    for (const Size size : {Size{64, 64},
                            {1, 1},
                            {2, 3},
                            {3, 70},
                            {65, 17},
                            {66, 15},
                            {67, 1},
                            {1, 257},
                            {257, 5},
                            {129, 66},
                            {10'000, 2},
                            {2, 10'000},
                            {random_size(2, 150), random_size(2, 80)}})
        for_case(std::to_string(size.width) + " × " + std::to_string(size.height) + " pixels",
                 [&] { draw_and_compare(size.width, size.height, 20); });
    for (const int count : {0, 1, 2, 31, 33, 1024})
        for_case(std::to_string(count) + " discs", [&] { draw_and_compare(37, 21, count); });
}

void counted() {
    draw_and_compare(128, 64, 20);
}
