#pragma once

#include <string>
#include <vector>

#include "common/report.h"
#include "stages.h"

// The tables of the chapter's program.
namespace matrix_multiply {

/// Two matrices in host memory that fit each other, each in rows without gaps.
struct Input {
    Shape shape;
    std::vector<float> a, b;
};

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
