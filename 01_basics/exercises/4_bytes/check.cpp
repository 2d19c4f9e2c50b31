#include "checker.h"

using namespace exercise;

void double_all(float* host, int n);

namespace {

void double_and_compare(int n) {
    if (n == 0) return;
    std::vector<float> host = distinct_values<float>(n), expected = host;
    for (float& number : expected) number *= 2;
    double_all(host.data(), n);
    finish();
    require_same("host", host, expected);
}

}  // namespace

void check() {
    for_each_size(double_and_compare);
}

void counted() {
    double_and_compare(1 << 12);
}
