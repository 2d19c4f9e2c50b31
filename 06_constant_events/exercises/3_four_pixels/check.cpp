#include "checker.h"

#include <algorithm>

using namespace exercise;

void draw(const int4* host_discs, int count, int* heights, int width, int height);

namespace {

int random_number(int low, int high) {
    return random_values<int>(1, low, high)[0];
}

// Some beyond the edges; of all sizes; no two equally high.
std::vector<int4> random_discs(int count, int width, int height) {
    std::vector<int4> discs(count);
    for (int i = 0; i < count; ++i) {
        const int radius = random_number(1, std::max(width, height) / 3 + 2);
        discs[i] = {random_number(-5, width + 5), random_number(-5, height + 5), 0, radius * radius};
        const int other = random_number(0, i);
        discs[i].z = discs[other].z;
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
                if ((x - disc.x) * (x - disc.x) + (y - disc.y) * (y - disc.y) < disc.w)
                    highest = std::max(highest, disc.z);
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
                            {5000, 2},
                            {2, 5000},
                            {random_size(2, 150), random_size(2, 80)}})
        for_case(std::to_string(size.width) + " × " + std::to_string(size.height) + " pixels",
                 [&] { draw_and_compare(size.width, size.height, 20); });
    for (const int count : {0, 1, 2, 31, 33, 1024})
        for_case(std::to_string(count) + " discs", [&] { draw_and_compare(37, 21, count); });
}

void counted() {
    draw_and_compare(128, 64, 20);
}
