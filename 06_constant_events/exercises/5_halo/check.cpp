#include "checker.h"

#include <algorithm>

using namespace exercise;

void sum_around(const unsigned* in, unsigned* out, int width, int height);

namespace {

void sum_and_compare(int width, int height) {
    Input<unsigned> in("in", random_values<unsigned>(width * height));
    Output<unsigned> out("out", static_cast<std::size_t>(width) * height);

    sum_around(in.data(), out.data(), width, height);
    finish();

    std::vector<unsigned> expected;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            unsigned sum = 0;
            for (int v = y - 2; v <= y + 2; ++v)
                for (int u = x - 2; u <= x + 2; ++u)
                    sum += in.values[std::clamp(v, 0, height - 1) * width + std::clamp(u, 0, width - 1)];
            expected.push_back(sum);
        }
    out.require_same(expected);
    in.require_unchanged();
}

struct Size {
    int width, height;
};

}  // namespace

void check() {
    for (const Size size : {Size{64, 16},
                            {1, 1},
                            {2, 3},
                            {1, 70},
                            {70, 1},
                            {32, 8},
                            {33, 9},
                            {31, 7},
                            {34, 10},
                            {67, 41},
                            {3000, 2},
                            {2, 3000},
                            {random_size(2, 150), random_size(2, 80)}})
        for_case(std::to_string(size.width) + " × " + std::to_string(size.height) + " values",
                 [&] { sum_and_compare(size.width, size.height); });
}

void counted() {
    sum_and_compare(224, 72);  // 63 blocks only where they make 32 × 8 sums each
}
