#include "checker.h"

using namespace exercise;

void add(const float* a, const float* b, float* c, int n, int blocks, int threads);

namespace {

void add_and_compare(int n, int blocks, int threads) {
    const std::string c_with_grid = "with " + std::to_string(blocks) + (blocks == 1 ? " block" : " blocks") + " of " +
                                    std::to_string(threads) + (threads == 1 ? " thread, c" : " threads, c");
    Input<float> a("a", distinct_values<float>(n));
    Input<float> b("b", distinct_values<float>(n));
    Output<float> c(c_with_grid.c_str(), n);

    add(a.data(), b.data(), c.data(), n, blocks, threads);
    finish();

    std::vector<float> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = a.values[i] + b.values[i];
    c.require_same(expected);
    a.require_unchanged();
    b.require_unchanged();
}

}  // namespace

void check() {
    for (const auto& [blocks, threads] : {std::pair{4, 64}, {1, 1}, {1, 96}, {7, 33}})
        for_each_size([&, blocks = blocks, threads = threads](int n) { add_and_compare(n, blocks, threads); });
    for_sizes({0, 33, 1009}, [](int n) { add_and_compare(n, 4, 256); });  // more threads than elements
    for_sizes({0, 33, 1009}, [](int n) { add_and_compare(n, 300, 64); });
    for_sizes({70'001}, [](int n) { add_and_compare(n, 2, 64); });
}

void counted() {
    add_and_compare(5 * 96 * 34 - 1, 5, 96);
    add_and_compare(31, 5, 96);
}
