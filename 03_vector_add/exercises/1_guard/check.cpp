#include "checker.h"

using namespace exercise;

void add(const float* a, const float* b, float* c, int n);

namespace {

void add_and_compare(int n) {
    Input<float> a("a", distinct_values<float>(n));
    Input<float> b("b", distinct_values<float>(n));
    Output<float> c("c", n);

    add(a.data(), b.data(), c.data(), n);
    finish();

    std::vector<float> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = a.values[i] + b.values[i];
    c.require_same(expected);
    a.require_unchanged();
    b.require_unchanged();
}

}  // namespace

void check() {
    for_each_size(add_and_compare, {70'001});
}

void counted() {
    add_and_compare(1 << 14);
}
