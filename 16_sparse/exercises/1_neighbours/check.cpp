#include "../sparse_rows.cpp"

void check() {
    for_each_size([](int rows) { multiply_and_compare(random_values<int>(rows, 0, rows > 10'000 ? 5 : 70)); });
    for_case("only empty rows", [] { multiply_and_compare(std::vector<int>(100, 0)); });
    for_case("rows around a warp", [] { multiply_and_compare({31, 32, 33, 0, 63, 64, 65, 1, 0}); });
    for_case("one long row", [] { multiply_and_compare({1, 20'011, 2}); });
}

void counted() {
    multiply_and_compare(std::vector<int>(256, 256));
}
