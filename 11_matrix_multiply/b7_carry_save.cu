// New here: words are added before they are counted, by an adder that does not pass its carries on to the next bit: a
// carry-save adder, known from hardware (Harley and Seal used it to count bits). It adds three words bit by bit: the
// exclusive ors of two pairs of words, and the sums of the last addition. That makes 32 sums and 32 carries. The sums
// are kept for the next addition; only the carries, which count double, are given to __popc(). For two words this takes
// one count instead of two, and three logical instructions instead of two.
// What remains: half a count for each word, 1/32 of a cycle, and 1.75 other instructions, which take nearly as long.

#include "binary_tile.h"
#include "common/check.h"

namespace matrix_multiply {
namespace {

/// Bit by bit: the opposite of `sum` where `flip` is set, and `ones` elsewhere. It is a single instruction, which nvcc
/// does not find by itself: it would take three.
__host__ __device__ inline Word carry_of(Word flip, Word sum, Word ones) {
#ifdef __CUDA_ARCH__
    Word carry;
    asm("lop3.b32 %0, %1, %2, %3, 0x3a;" : "=r"(carry) : "r"(flip), "r"(sum), "r"(ones));
    return carry;
#else
    return (flip & ~sum) | (~flip & ones);
#endif
}

/// Adds x = x_a ^ x_b and y = y_a ^ y_b to `ones`, bit by bit; returns the carries. A carry is what most of the three
/// bits are: `ones` if x equals it, and else y, which is then the opposite of the sum.
__device__ inline Word add(Word& ones, Word x_a, Word x_b, Word y_a, Word y_b) {
    const Word flip = ones ^ x_a ^ x_b, sum = flip ^ y_a ^ y_b, carry = carry_of(flip, sum, ones);
    ones = sum;
    return carry;
}

__global__ void __launch_bounds__(tile_threads, 2) multiply(Packed packed, Matrix<int> c) {
    __shared__ WordSlice tile;
    const Place place(c);
    unsigned twos[thread_rows][thread_columns] = {};
    Word ones[thread_rows][thread_columns] = {};
    for (unsigned first = 0; first < packed.words; first += slice) {
        tile.load(packed, place, first);
        __syncthreads();
#pragma unroll 2
        for (unsigned w = 0; w < slice; w += 2) {
            const Operands x(tile, w, place), y(tile, w + 1, place);
#pragma unroll
            for (unsigned r = 0; r < thread_rows; ++r)
#pragma unroll
                for (unsigned s = 0; s < thread_columns; ++s)
                    twos[r][s] += __popc(add(ones[r][s], x.a[r], x.b[s], y.a[r], y.b[s]));
        }
        __syncthreads();  // no thread needs this slice any more
    }
#pragma unroll
    for (unsigned r = 0; r < thread_rows; ++r)
#pragma unroll
        for (unsigned s = 0; s < thread_columns; ++s) twos[r][s] = 2 * twos[r][s] + __popc(ones[r][s]);
    store(twos, static_cast<unsigned>(packed.shape.k), place, c);
}

}  // namespace

void carry_save(const Packed& packed, Matrix<int> c) {
    require_fits(packed, c);
    if (c.rows == 0 || c.columns == 0) return;
    multiply<<<blocks_for(c), tile_threads>>>(packed, c);
    CUDA_CHECK_LAUNCH();
}

STAGES(BinaryStage{"three instructions add two words before they are counted", carry_save});

}  // namespace matrix_multiply
