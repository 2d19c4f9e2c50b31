#pragma once

#include <cstdint>

// The merge path (D. Merrill and M. Garland, "Merge-Based Parallel Sparse Matrix-Vector Multiplication", 2016). One
// walks through a matrix in steps: a step takes an entry, or, where a row has no entry left, ends that row. That makes
// rows + entries steps, whatever the rows are, and one can find the place after any number of steps.
namespace sparse {

/// How many rows have ended, and how many entries have been taken.
struct Place {
    int row, entry;
};

/// The place after `steps` steps. row_ends: of each row, how many entries have been taken when it ends.
__device__ inline Place place_after(std::int64_t steps, const int* row_ends, int rows, int entries) {
    std::int64_t low = steps > entries ? steps - entries : 0, high = steps < rows ? steps : rows;
    while (low < high) {  // The rows before `low` have ended, and row `high` has not.
        const std::int64_t middle = (low + high) / 2;
        if (row_ends[middle] < steps - middle)
            low = middle + 1;
        else
            high = middle;
    }
    return {static_cast<int>(low), static_cast<int>(steps - low)};
}

}  // namespace sparse
