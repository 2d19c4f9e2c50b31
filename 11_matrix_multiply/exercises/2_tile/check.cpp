#include "../products.cpp"

void check() {
    multiply_awkward_shapes();
}

void counted() {
    multiply_and_compare(64, 128, 96);
}
