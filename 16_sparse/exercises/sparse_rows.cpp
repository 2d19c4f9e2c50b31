// What the exercises check with. Their check.cpp includes it: reports take the names of arrays from the lines of .cpp
// files.

#include "checker.h"

void multiply(const int* row_starts, const int* columns, const float* values, const float* x, float* y, int rows);

using namespace exercise;

namespace {

/// Random eighths from -9 to 9. With so few digits, every order of additions gives the same floats; their products have
/// more digits than a half.
std::vector<float> random_eighths(int count) {
    std::vector<float> numbers;
    for (const int number : random_values<int>(count, -72, 72)) numbers.push_back(static_cast<float>(number) / 8);
    return numbers;
}

/// Multiplies a matrix with rows of these lengths.
void multiply_and_compare(const std::vector<int>& lengths) {
    const int rows = static_cast<int>(lengths.size());
    std::vector<int> starts(1);
    for (const int length : lengths) starts.push_back(starts.back() + length);
    const int entries = starts.back(), width = 1031;
    const std::vector<int> first = random_values<int>(rows, 0, width - 1);
    const std::vector<float> factors = random_eighths(entries), numbers = random_eighths(width);
    std::vector<int> of_entries;
    std::vector<float> expected(rows);
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k < lengths[row]; ++k) {
            of_entries.push_back((first[row] + k) % width);
            expected[row] += factors[starts[row] + k] * numbers[of_entries.back()];
        }

    Input<int> row_starts("row_starts", starts);
    Input<int> columns("columns", of_entries);
    Input<float> values("values", factors);
    Input<float> x("x", numbers);
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
