#pragma once

#include <cstdint>
#include <string>

#include "csr.h"

namespace sparse {

/// A square matrix with random values from -1 to 1; the same seed gives the same matrix. kind: how long its rows are.
///   banded    up to `mean` entries around the diagonal
///   uniform   from half to one and a half times the mean, in random columns
///   power     few long rows and many short ones: the second longest has half as many entries as the longest, the third
///             a third (Zipf's law), so that the longest has about a tenth of all
///   empty     nine of ten rows have no entry, the others ten times the mean
/// Throws usage_error for another kind, and where there would be more than 2^31 - 1 entries.
Csr random_matrix(const std::string& kind, int rows, int mean, std::uint64_t seed);

/// The matrix of a Matrix Market file ("coordinate", real, integer or pattern, general or symmetric). Throws
/// usage_error with the line's number where the file is none, ends early, has too much, or names a place outside of the
/// matrix, and where it names one twice.
Csr read_matrix_market(const std::string& path);

}  // namespace sparse
