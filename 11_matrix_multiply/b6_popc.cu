// New here: __popc() counts the ones of a word, in one instruction, and a thread makes 8 x 4 elements of c in
// registers, so that twelve words from shared memory serve 32 pairs. The table and its loads are gone.
// What remains: the counting itself. In a cycle a multiprocessor starts 64 exclusive ors or additions, but 16 counts.

#include "binary_tile.h"
#include "common/check.h"

namespace matrix_multiply {
namespace {

__global__ void __launch_bounds__(tile_threads, 2) multiply(Packed packed, Matrix<int> c) {
    __shared__ WordSlice tile;
    const Place place(c);
    unsigned different[thread_rows][thread_columns] = {};
    for (unsigned first = 0; first < packed.words; first += slice) {
        tile.load(packed, place, first);
        __syncthreads();
#pragma unroll 2
        for (unsigned w = 0; w < slice; ++w) {
            const Operands word(tile, w, place);
#pragma unroll
            for (unsigned r = 0; r < thread_rows; ++r)
#pragma unroll
                for (unsigned s = 0; s < thread_columns; ++s) different[r][s] += __popc(word.a[r] ^ word.b[s]);
        }
        __syncthreads();  // no thread needs this slice any more
    }
    store(different, static_cast<unsigned>(packed.shape.k), place, c);
}

}  // namespace

void popc(const Packed& packed, Matrix<int> c) {
    require_fits(packed, c);
    if (c.rows == 0 || c.columns == 0) return;
    multiply<<<blocks_for(c), tile_threads>>>(packed, c);
    CUDA_CHECK_LAUNCH();
}

STAGES(BinaryStage{"the hardware counts, and each thread has 8 x 4 elements in registers", popc});

}  // namespace matrix_multiply
