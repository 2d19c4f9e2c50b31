#include "checker.h"

using namespace exercise;

void scan_each_segment(const unsigned* in, const int* begins, unsigned* out, int n);

namespace {

// One value in `length` begins a segment; 0: none does.
void scan_and_compare(int n, int length) {
    std::vector<int> flags(n, 0);
    if (length > 0) {
        flags = random_values<int>(n, 1, length);
        for (int& flag : flags) flag = flag == 1;
    }
    Input<unsigned> in("in", random_values<unsigned>(n));
    Input<int> begins("begins", flags);
    Output<unsigned> out("out", n);

    scan_each_segment(in.data(), begins.data(), out.data(), n);
    finish();

    std::vector<unsigned> expected(n);
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) expected[i] = sum = (i % 256 == 0 || flags[i] ? 0 : sum) + in.values[i];
    out.require_same(expected);
    in.require_unchanged();
    begins.require_unchanged();
}

}  // namespace

void check() {
    for_each_size([](int n) { scan_and_compare(n, 40); });
    for_case("short segments", [] { scan_and_compare(1009, 3); });
    for_case("each value a segment", [] { scan_and_compare(300, 1); });
    for_case("no begin but those of the tiles", [] { scan_and_compare(1009, 0); });
}

void counted() {
    scan_and_compare(1 << 14, 40);
}
