#include "input.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "bubble_sort.h"

namespace bubble_sort {
namespace {

float random_value(std::mt19937_64& generator, float) {
    const int exponent = std::uniform_int_distribution(-20, 20)(generator);
    return std::ldexp(std::uniform_real_distribution<float>(-1, 1)(generator), exponent);
}

int random_value(std::mt19937_64& generator, int) {
    return static_cast<int>(generator());
}

std::vector<float> special_values(float) {
    using limits = std::numeric_limits<float>;
    const float nan = limits::quiet_NaN();
    return {0.0f,   -0.0f,   limits::infinity(), -limits::infinity(), nan, std::copysign(nan, -1.0f),
            1e-45f, -1e-45f, limits::max(),      limits::lowest()};
}

std::vector<int> special_values(int) {
    return {std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), 0};
}

}  // namespace

template <class T>
std::vector<T> make_values(std::string_view kind, std::size_t n, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::vector<T> values(n);
    for (T& value : values) value = random_value(generator, T{});

    const auto draw_from = [&](const std::vector<T>& few) {
        return few[std::uniform_int_distribution<std::size_t>(0, few.size() - 1)(generator)];
    };
    if (kind == "shuffled") {
        for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(i);
        std::shuffle(values.begin(), values.end(), generator);
    } else if (kind == "equal" && n > 0) {
        values.assign(n, values[0]);
    } else if (kind == "few") {
        std::vector<T> few(10);
        for (T& value : few) value = random_value(generator, T{});
        for (T& value : values) value = draw_from(few);
    } else if (kind == "special") {
        for (T& value : values)
            if (generator() % 2 == 0) value = draw_from(special_values(T{}));
    } else if (kind == "sorted" || kind == "reversed") {
        cpu(std::span(values));
        if (kind == "reversed") std::reverse(values.begin(), values.end());
    }
    return values;
}

template std::vector<float> make_values(std::string_view, std::size_t, std::uint64_t);
template std::vector<int> make_values(std::string_view, std::size_t, std::uint64_t);

}  // namespace bubble_sort
