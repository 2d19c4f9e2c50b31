#include "../products.cpp"

#include <cmath>

// To BF16: eight bits, the first one included. None of the numbers lies in the middle between two of BF16.
static float rounded(float x) {
    int exponent = 0;
    const float fraction = std::frexp(x, &exponent);  // |fraction| is from 1/2 to 1
    return std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);
}

void check() {
    multiply_awkward_shapes(rounded);
}

void counted() {
    multiply_and_compare(64, 128, 96, true, rounded);
}
