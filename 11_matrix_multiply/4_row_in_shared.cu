// New here: the block keeps its row of a in shared memory, one piece after another, so that k may be any number. Half
// of the loads no longer go to global memory.
// What remains: each element of b is still loaded for each row of c, m times.

#include <algorithm>

#include "common/check.h"
#include "matrix_multiply.h"

namespace matrix_multiply {
namespace {

constexpr unsigned block_size = 256;
constexpr unsigned piece_size = 1024;

__global__ void multiply(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    __shared__ float piece[piece_size];
    const float* a_row = a.row(blockIdx.x);
    float* c_row = c.row(blockIdx.x);

    std::size_t begin = 0;
    do {
        const auto size = static_cast<int>(min(a.columns - begin, std::size_t{piece_size}));
        __syncthreads();  // All threads are done with the piece before.
        for (int l = threadIdx.x; l < size; l += blockDim.x) piece[l] = a_row[begin + l];
        __syncthreads();

        for (std::size_t j = threadIdx.x; j < c.columns; j += blockDim.x) {
            const float* b_column = b.row(begin) + j;
            float sum = begin == 0 ? 0 : c_row[j];
            for (int l = 0; l < size; ++l) sum += piece[l] * b_column[l * b.stride];
            c_row[j] = sum;
        }
        begin += piece_size;
    } while (begin < a.columns);  // If a has no columns, c still becomes 0.
}

}  // namespace

void row_in_shared(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    if (shape_of(a, b, c).m == 0) return;
    multiply<<<grid_of(c.rows), block_size>>>(a, b, c);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"the row of a in shared memory", row_in_shared}, Rows::pitched});

}  // namespace matrix_multiply
