#pragma once

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "common/verify.h"
#include "error_bound.h"
#include "harness/report.h"
#include "packed_matrices.h"
#include "rounded_matrices.h"

// The tables of the chapter's program.
namespace matrix_multiply {

/// Two matrices in host memory that fit each other, each in rows without gaps.
struct Input {
    Shape shape;
    std::vector<float> a, b;
};

/// The largest error, relative to the largest element. Throws wrong_result, with the first wrong index, unless every
/// element is within its bound. A NaN never is.
template <class C>
double largest_error(std::string_view stage, const std::vector<C>& c, const std::vector<double>& expected,
                     const ErrorBound& bound, Shape shape) {
    double largest = 0, error = 0;
    for (std::size_t index = 0; index < c.size(); ++index) {
        const std::size_t i = index / shape.n, j = index % shape.n;
        const double difference = std::abs(c[index] - expected[index]);
        if (!(difference <= bound(i, j))) {
            std::ostringstream text;
            text.precision(9);
            text << stage << " is wrong at row " << i << ", column " << j << ": expected " << expected[index]
                 << " within " << bound(i, j) << ", got " << c[index];
            throw wrong_result(text.str());
        }
        largest = std::max(largest, std::abs(expected[index]));
        error = std::max(error, difference);
    }
    return error == 0 ? 0 : error / largest;
}

/// Runs float stages on the input: a table. Throws what a stage throws, and wrong_result.
void run_float(const Input& input, const std::vector<Stage>& chosen, const std::string& title,
               Report& report);  // float_ladder.cpp

/// Packs the signs of its numbers.
void run_packing(const Input& input, const std::string& title, Report& report);  // binary_ladder.cpp
/// Runs the stages of binary.h on these signs.
void run_binary(const Input& input, const std::string& title, Report& report);  // binary_ladder.cpp

/// Rounds the input to TF32 and to BF16, and runs the stages of rounded.h on both: two tables for each.
void run_tensor(const Input& input, const std::string& title, const std::string& asked,
                Report& report);  // tensor_ladder.cpp

}  // namespace matrix_multiply
