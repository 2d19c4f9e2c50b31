#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/stage.h"
#include "matrix_multiply.h"

// The two tables of the chapter's program.
namespace matrix_multiply {

/// Two matrices in host memory that fit each other, each in rows without gaps.
struct Input {
    Shape shape;
    std::vector<float> a, b;
};

unsigned host_threads();

/// The stages of matrix_multiply.h. threads: the block sizes to run 2_row_per_block with. Throws what a stage throws,
/// and wrong_result.
void run_float(const Input& input, std::span<const unsigned> threads, const Options& options,
               Report& report);  // float_ladder.cpp

/// The stages of binary.h, on the signs of the same numbers: two tables, of packing and of the product.
void run_binary(const Input& input, const std::string& title, const Options& options,
                Report& report);  // binary_ladder.cpp

}  // namespace matrix_multiply
