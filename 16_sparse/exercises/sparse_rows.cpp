// What the exercises check with. Their check.cpp includes it: reports take the names of arrays from the lines of .cpp
// files.

#include "checker.h"

void multiply(const int* row_starts, const int* columns, const float* values, const float* x, float* y, int rows);

using namespace exercise;

namespace {

/// Multiplies a matrix with rows of these lengths. All numbers are whole, so that every order of additions gives the
/// same floats, and none is 0.
void multiply_and_compare(const std::vector<int>& lengths) {
    const int rows = static_cast<int>(lengths.size());
    std::vector<int> starts(1);
    for (const int length : lengths) starts.push_back(starts.back() + length);
    const int entries = starts.back(), width = 1031;
    const std::vector<int> first = random_values<int>(rows, 0, width - 1), factors = random_values<int>(entries, 1, 9),
                           numbers = random_values<int>(width, 1, 9);
    std::vector<int> of_entries;
    std::vector<float> expected(rows);
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k < lengths[row]; ++k) {
            of_entries.push_back((first[row] + k) % width);
            expected[row] += static_cast<float>(factors[starts[row] + k] * numbers[of_entries.back()]);
        }

    Input<int> row_starts("row_starts", starts);
    Input<int> columns("columns", of_entries);
    Input<float> values("values", std::vector<float>(factors.begin(), factors.end()));
    Input<float> x("x", std::vector<float>(numbers.begin(), numbers.end()));
    Output<float> y("y", rows);

    multiply(row_starts.data(), columns.data(), values.data(), x.data(), y.data(), rows);
    finish();

    y.require_same(expected);
    row_starts.require_unchanged();
    columns.require_unchanged();
    values.require_unchanged();
    x.require_unchanged();
}

}  // namespace
