#include "checker.h"

using namespace exercise;

void filter(const int* in, const int* host_weights, int count, int* out, int n);

namespace {

void filter_and_compare(int n, int count) {
    HostInput<int> weights(random_values<int>(count, -1000, 1000));
    Input<int> in("in", random_values<int>(n + count - 1, -10'000, 10'000));
    Output<int> out("out", n);

    filter(in.data(), weights.data(), count, out.data(), n);
    finish();

    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < count; ++k) expected[i] += weights.values[k] * in.values[i + k];
    out.require_same(expected);
    in.require_unchanged();
}

}  // namespace

void check() {
    for_each_size([](int n) { filter_and_compare(n, 7); }, {70'001});
    for (const int count : {1, 2, 31, 32, 33, 64})
        for_case(std::to_string(count) + " weights", [&] { filter_and_compare(1009, count); });
}

void counted() {
    filter_and_compare(1 << 12, 32);
}
