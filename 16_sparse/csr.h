#pragma once

#include <vector>

namespace sparse {

/// A matrix of which the entries that are not zero are stored, row after row (compressed sparse rows, CSR), in host
/// memory. Row r has the entries row_starts[r] to row_starts[r + 1] - 1: entry e stands in column columns[e] and has
/// the value values[e]. The columns of a row ascend. At most 2^31 - 1 rows, columns and entries.
struct Csr {
    int rows = 0, width = 0;         ///< width: how many columns there are
    std::vector<int> row_starts{0};  ///< rows + 1 numbers; the first is 0, the last is how many entries there are
    std::vector<int> columns;        ///< of each entry, from 0 to width - 1
    std::vector<float> values;       ///< of each entry

    int entries() const { return row_starts.back(); }
};

/// The same in device memory, to be handed to a kernel by value. It owns nothing.
struct Matrix {
    int rows, width, entries;
    const int* row_starts;  ///< rows + 1 of them
    const int* columns;     ///< one for each entry
    const float* values;    ///< one for each entry
};

}  // namespace sparse
