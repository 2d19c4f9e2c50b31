#include "checker.h"

#include "common/check.h"

using namespace exercise;

void add(const float* a, const float* b, float* c, int n);

namespace {

// The arrays begin `start` floats behind a multiple of 256 bytes.
void add_and_compare(int n, int start) {
    Input<float> a("a", distinct_values<float>(start + n));
    Input<float> b("b", distinct_values<float>(start + n));
    Output<float> c("c", start + n);
    CUDA_CHECK(cudaMemset(c.data(), 0, start * sizeof(float)));

    add(a.data() + start, b.data() + start, c.data() + start, n);
    finish();

    std::vector<float> expected(start + n);
    for (int i = start; i < start + n; ++i) expected[i] = a.values[i] + b.values[i];
    c.require_same(expected);
    a.require_unchanged();
    b.require_unchanged();
}

}  // namespace

void check() {
    for_each_size([](int n) { add_and_compare(n, n % 2); }, {2047, 2048, 2049, 4095, 70'001});
}

void counted() {
    add_and_compare(1 << 14, 0);
}
