#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

#include "common/errors.h"

/// The first index at which actual and expected (host memory) differ, or nothing. A NaN differs from everything,
/// itself included. Spans of different length differ at the end of the shorter one.
template <class T>
std::optional<std::size_t> first_difference(std::span<const T> actual, std::span<const T> expected) {
    const std::size_t n = actual.size() < expected.size() ? actual.size() : expected.size();
    for (std::size_t i = 0; i < n; ++i)
        if (!(actual[i] == expected[i])) return i;
    if (actual.size() != expected.size()) return n;
    return std::nullopt;
}

/// "index 7: expected 56, got -1"
template <class T>
std::string describe_difference(std::size_t i, std::span<const T> actual, std::span<const T> expected) {
    std::ostringstream text;
    text.precision(9);
    text << "index " << i << ": expected ";
    if (i < expected.size())
        text << +expected[i];
    else
        text << "nothing";
    text << ", got ";
    if (i < actual.size())
        text << +actual[i];
    else
        text << "nothing";
    return text.str();
}

/// Throws wrong_result, naming the stage and the first wrong index, unless both are the same.
template <class T>
void require_same(std::string_view stage, std::span<const T> actual, std::span<const T> expected) {
    if (const auto i = first_difference(actual, expected))
        throw wrong_result(std::string(stage) + " is wrong at " + describe_difference(*i, actual, expected));
}

/// Throws wrong_result, naming the stage, unless `actual` is within `bound` of `expected`. A NaN never is.
inline void require_within(std::string_view stage, double actual, double expected, double bound) {
    if (std::abs(actual - expected) <= bound) return;
    std::ostringstream text;
    text.precision(9);
    text << stage << " is wrong: expected " << expected << " within " << bound << ", got " << actual;
    throw wrong_result(text.str());
}
