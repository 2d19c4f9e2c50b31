// y = A·x: an entry of the sparse matrix A for each thread.

#include "common/check.h"

constexpr int block_size = 256;

/// The row of entry e. row_starts: rows + 1 numbers that do not descend. Row r has the entries row_starts[r] to
/// row_starts[r + 1] - 1, so a row without entries starts where the next one does.
__device__ int row_of(int e, const int* row_starts, int rows) {
    // BEGIN SOLUTION
    int low = 0, high = rows;  // Row `low` starts at e or before, and row `high`, if there is one, behind e.
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (row_starts[middle] <= e)
            low = middle;
        else
            high = middle;
    }
    return low;
    // STUB
    // int row = 0;
    // while (row_starts[row + 1] <= e) ++row;
    // return row;
    // END SOLUTION
}

__global__ void multiply_entries(const int* row_starts, const int* columns, const float* values, const float* x,
                                 float* y, int rows) {
    const int e = blockIdx.x * block_size + threadIdx.x;
    if (e < row_starts[rows]) atomicAdd(&y[row_of(e, row_starts, rows)], values[e] * x[columns[e]]);
}

/// y = A·x. All arrays are in device memory. Row r of A has the entries row_starts[r] to row_starts[r + 1] - 1, and
/// entry e stands in column columns[e] with the value values[e]. A row may have no entry; rows may be 0.
void multiply(const int* row_starts, const int* columns, const float* values, const float* x, float* y, int rows) {
    if (rows == 0) return;
    int entries = 0;
    CUDA_CHECK(cudaMemcpy(&entries, row_starts + rows, sizeof entries, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemset(y, 0, rows * sizeof(float)));
    if (entries == 0) return;
    multiply_entries<<<(entries - 1) / block_size + 1, block_size>>>(row_starts, columns, values, x, y, rows);
    CUDA_CHECK_LAUNCH();
}
