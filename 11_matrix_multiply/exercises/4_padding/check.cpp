#include "checker.h"

using namespace exercise;

void transpose(const float* a, float* b, int rows, int columns);

namespace {

void transpose_and_compare(int rows, int columns) {
    Input<float> a("a", distinct_values<float>(std::size_t(rows) * columns));
    Output<float> b("b", std::size_t(rows) * columns);

    transpose(a.data(), b.data(), rows, columns);
    finish();

    std::vector<float> expected(a.values.size());
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) expected[j * rows + i] = a.values[i * columns + j];
    b.require_same(expected);
    a.require_unchanged();
}

}  // namespace

void check() {
    const int shapes[][2] = {{1, 1},   {32, 32},  {1, 100},  {100, 1},
                             {31, 33}, {33, 31},  {64, 32},  {97, 130},
                             {256, 5}, {3, 1100}, {1100, 2}, {random_size(2, 150), random_size(2, 150)}};
    for (const auto& [rows, columns] : shapes)
        for_case(std::to_string(rows) + " x " + std::to_string(columns),
                 [rows = rows, columns = columns] { transpose_and_compare(rows, columns); });
}

void counted() {
    transpose_and_compare(256, 288);
}
