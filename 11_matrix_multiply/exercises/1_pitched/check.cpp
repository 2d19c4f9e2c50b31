#include "checker.h"

#include <cmath>
#include <cstring>

using namespace exercise;

void scale_rows(const float* a, std::size_t a_pitch, const float* factors, float* c, std::size_t c_pitch, int rows,
                int columns);

namespace {

// What cudaMallocPitch() would choose for rows of so many bytes.
std::size_t pitch_for(std::size_t bytes) {
    return (bytes + 511) / 512 * 512;
}

/// Pitches in floats. The gaps of a hold NaN, and those of c must stay as they are.
void scale_and_compare(int rows, int columns, std::size_t a_pitch, std::size_t c_pitch) {
    std::vector<float> elements = distinct_values<float>(rows * a_pitch);
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (i % a_pitch >= static_cast<std::size_t>(columns)) elements[i] = std::nanf("");
    Input<float> a("a", elements);
    Input<float> factors("factors", distinct_values<float>(rows));
    Output<float> c("c", rows * c_pitch);

    scale_rows(a.data(), a_pitch * sizeof(float), factors.data(), c.data(), c_pitch * sizeof(float), rows, columns);
    finish();

    const std::vector<float> got = c.values();
    for (int i = 0; i < rows; ++i) {
        const auto begin = got.begin() + i * c_pitch;
        std::vector<float> expected(columns);
        for (int j = 0; j < columns; ++j) expected[j] = factors.values[i] * a.values[i * a_pitch + j];
        require_same(("in row " + std::to_string(i) + ", c").c_str(), {begin, begin + columns}, expected);
    }
    const unsigned untouched = 0xffffffff;
    std::size_t i = 0;
    while (i < got.size() &&
           (i % c_pitch < static_cast<std::size_t>(columns) || std::memcmp(&got[i], &untouched, sizeof untouched) == 0))
        ++i;
    require(i == got.size(), "float " + std::to_string(i % c_pitch - columns + 1) + " of the gap behind row " +
                                 std::to_string(i / c_pitch) + " of c was written");
    factors.require_unchanged();
    const std::vector<float> a_now = a.now();
    require(std::memcmp(a_now.data(), elements.data(), a_now.size() * sizeof(float)) == 0, "a was changed");
}

}  // namespace

void check() {
    const auto in_case = [](int rows, int columns, std::size_t a_pitch, std::size_t c_pitch) {
        const auto bytes = [](std::size_t floats) { return std::to_string(floats * sizeof(float)); };
        for_case(std::to_string(rows) + " x " + std::to_string(columns) + ", pitches of " + bytes(a_pitch) + " and " +
                     bytes(c_pitch) + " bytes",
                 [=] { scale_and_compare(rows, columns, a_pitch, c_pitch); });
    };
    for (const int columns : {5, 1, 31, 32, 33, 127, 128, 129, 1009}) {
        const std::size_t pitch = pitch_for(columns * sizeof(float)) / sizeof(float), other = (columns + 15) / 8 * 8;
        for (const int rows : {3, 1, 7}) {
            in_case(rows, columns, pitch, other);
            in_case(rows, columns, other, pitch);
            in_case(rows, columns, columns, columns);
        }
    }
    in_case(40'000, 2, 2, 3);
    in_case(300, 5, 8, 128);
    in_case(2, 1025, 1032, 1152);
    in_case(3, 3001, 3001, 3008);
    in_case(2, 40'000, 40'001, 40'000);
    const int columns = random_size(2, 700), gap = random_size(1, 50);
    in_case(9, columns, columns + gap, columns + random_size(1, 50));
}

void counted() {
    scale_and_compare(64, 256, 384, 512);
}
