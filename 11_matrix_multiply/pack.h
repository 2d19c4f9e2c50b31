#pragma once

#include <cstdint>

#include "matrix.h"

// Signs to bits, as binary.h wants them. An element's bit is 1 unless the element is less than 0.
namespace matrix_multiply {

/// packed: as many rows as a, a word for each 32 columns of it. Throws cuda_error.
void pack_rows(Matrix<const float> a, Matrix<std::uint32_t> packed);

/// packed: as many columns as b, a row for each 32 rows of it. Throws cuda_error.
void pack_columns(Matrix<const float> b, Matrix<std::uint32_t> packed);

}  // namespace matrix_multiply
