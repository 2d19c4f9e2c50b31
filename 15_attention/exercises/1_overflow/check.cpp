#include "../check_softmax.cpp"

void check() {
    for_all_kinds({0, 1, 2, 31, 33, 128, 129, 257});
}

void counted() {
    soften_and_compare(about_one_number_each(4096, 16));
}
