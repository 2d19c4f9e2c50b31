#include "../dot.cpp"

void check() {
    interleave_atomics();
    for_each_size(multiply_and_compare, {40'001});
}

void counted() {
    multiply_and_compare(1 << 14);
}
