#include "../sparse_rows.cpp"

void check() {
    for_sizes({0, 1, 2, 31, 32, 33, 255, 256, 257, 1009, 2003},  // no more: the starter takes n² steps
              [](int rows) { multiply_and_compare(random_values<int>(rows, 0, 4)); });
    for_case("only empty rows", [] { multiply_and_compare(std::vector<int>(100, 0)); });
    for_case("empty rows at both ends", [] { multiply_and_compare({0, 0, 0, 3, 0, 0, 40, 1, 0, 0}); });
    for_case("one long row", [] { multiply_and_compare({1, 0, 20'011, 2}); });
    for_case("13003 rows, nearly all of them empty", [] {  // their starts do not fit into 48 KiB
        std::vector<int> lengths(13'003);
        for (const int row : random_values<int>(7, 0, 13'000)) ++lengths[row];
        lengths.back() = 2;
        multiply_and_compare(lengths);
    });
}

void counted() {
    std::vector<int> lengths(1024, 2);
    lengths[100] = 2048;
    multiply_and_compare(lengths);
}
