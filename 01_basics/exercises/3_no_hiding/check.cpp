#include "checker.h"

using namespace exercise;

void add_places(int* matrix, int rows, int columns);

namespace {

void add_and_compare(int rows, int columns) {
    const std::vector<int> before = random_values<int>(static_cast<std::size_t>(rows) * columns, -1'000'000, 1'000'000);
    DeviceBuffer<int> matrix = DeviceBuffer<int>::from_host(before);
    given_on_device(matrix.data(), before.size() * sizeof(int));

    add_places(matrix.data(), rows, columns);
    finish();

    std::vector<int> expected = before;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) expected[row * columns + column] += 10 * row + column;
    require_same("matrix", matrix.to_host(), expected);
    no_longer_on_device(matrix.data());
}

struct Shape {
    int rows, columns;
};

}  // namespace

void check() {
    for (const Shape shape : {Shape{5, 5},
                              {3, 7},
                              {7, 3},
                              {1, 1},
                              {1, 31},
                              {33, 1},
                              {2, 3},
                              {4, 255},
                              {257, 3},
                              {1, 1009},
                              {1009, 1},
                              {31, 33},
                              {32, 32},
                              {16, 64},
                              {random_size(2, 31), random_size(2, 31)}})
        for_case(std::to_string(shape.rows) + " rows, " + std::to_string(shape.columns) + " columns",
                 [&] { add_and_compare(shape.rows, shape.columns); });
}

void counted() {
    add_and_compare(32, 32);
}
