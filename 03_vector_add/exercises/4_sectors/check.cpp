#include <set>

#include "checker.h"

using namespace exercise;

int neighbours();
int backwards();
int same_for_all();
int one_further();
int every_second();
int every_eighth();
int every_32nd();
int four_at_once();
void run_all(const float* a, float* c);

namespace {

struct Pattern {
    const char* name;
    int (*predicted)();
    int floats;  // that a lane loads
    int (*first)(int lane);
};

const Pattern patterns[] = {
    {"neighbours", neighbours, 1, [](int lane) { return lane; }},
    {"backwards", backwards, 1, [](int lane) { return 31 - lane; }},
    {"same_for_all", same_for_all, 1, [](int) { return 7; }},
    {"one_further", one_further, 1, [](int lane) { return lane + 1; }},
    {"every_second", every_second, 1, [](int lane) { return 2 * lane; }},
    {"every_eighth", every_eighth, 1, [](int lane) { return 8 * lane; }},
    {"every_32nd", every_32nd, 1, [](int lane) { return 32 * lane; }},
    {"four_at_once", four_at_once, 4, [](int lane) { return 4 * lane; }},
};

// The limits in task.md hold the same numbers against what is counted.
int sectors(const Pattern& pattern) {
    std::set<std::size_t> touched;
    for (int lane = 0; lane < 32; ++lane)
        for (int k = 0; k < pattern.floats; ++k) touched.insert((pattern.first(lane) + k) * sizeof(float) / 32);
    return static_cast<int>(touched.size());
}

void run_and_compare() {
    Input<float> a("a", distinct_values<float>(1024));
    Output<float> c("c", 32 * std::size(patterns));

    run_all(a.data(), c.data());
    finish();

    std::vector<float> expected;
    for (const Pattern& pattern : patterns)
        for (int lane = 0; lane < 32; ++lane) {
            const float* x = &a.values[pattern.first(lane)];
            expected.push_back(pattern.floats == 4 ? (x[0] + x[1]) + (x[2] + x[3]) : 2 * x[0]);
        }
    c.require_same(expected);
    a.require_unchanged();
}

}  // namespace

void check() {
    run_and_compare();
    for (const Pattern& pattern : patterns) require_prediction(pattern.name, pattern.predicted(), sectors(pattern));
}

void counted() {
    run_and_compare();
}
