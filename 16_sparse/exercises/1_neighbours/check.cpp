#include "../sparse_rows.cpp"

void check() {
    // No more rows: an answer may take a block for each, which the emulator needs its time for.
    for_sizes({0, 1, 31, 32, 33, 255, 256, 257, 1009, 4096},
              [](int rows) { multiply_and_compare(random_values<int>(rows, 0, 70)); });
    for_case("only empty rows", [] { multiply_and_compare(std::vector<int>(100, 0)); });
    for_case("rows around a warp", [] { multiply_and_compare({31, 32, 33, 0, 63, 64, 65, 1, 0}); });
    for_case("one long row", [] { multiply_and_compare({1, 20'011, 2}); });
}

void counted() {
    multiply_and_compare(std::vector<int>(256, 256));
}
