#include "../dot.cpp"

void check() {
    interleave_atomics();
    for_each_size(multiply_and_compare);
}

void counted() {
    multiply_and_compare(1 << 14);
}
