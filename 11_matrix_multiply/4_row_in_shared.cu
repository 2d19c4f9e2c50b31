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

    for (std::size_t first = 0; first < c.columns;
         first += blockDim.x) {  // As many rounds for all threads: barriers are inside.
        const std::size_t j = first + threadIdx.x;
        float sum = 0;
        for (std::size_t begin = 0; begin < a.columns; begin += piece_size) {
            const std::size_t size = min(a.columns - begin, std::size_t{piece_size});
            __syncthreads();  // All threads are done with the piece before.
            for (std::size_t l = threadIdx.x; l < size; l += blockDim.x) piece[l] = a_row[begin + l];
            __syncthreads();
            if (j < c.columns)
                for (std::size_t l = 0; l < size; ++l) sum += piece[l] * b.row(begin + l)[j];
        }
        if (j < c.columns) c.row(blockIdx.x)[j] = sum;
    }
}

}  // namespace

void row_in_shared(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    if (shape_of(a, b, c).m == 0) return;
    multiply<<<grid_of(c.rows), block_size>>>(a, b, c);
    CUDA_CHECK_LAUNCH();
}

}  // namespace matrix_multiply
