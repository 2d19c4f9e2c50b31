// A block for each row of c. One exclusive or makes 32 products of signs, and its ones are the products that are -1. A
// table in device memory says how many ones a byte has. What it saves: the multiplications, and 31 of 32 loads.
// What remains: four more loads for each word, at addresses that depend on its bytes.
// The variant `constant` has the table in constant memory, which serves one address of a warp at a time.
// The variant `equal` counts the bits that are equal. Those that pad the last word are, too, and are subtracted.

#include "common/check.h"
#include "ones_in_byte.h"

namespace matrix_multiply {
namespace {

constexpr unsigned block_size = 256;

__device__ constexpr OnesInByte ones_in_device_memory = make_ones_in_byte();
__constant__ OnesInByte ones_in_constant_memory = make_ones_in_byte();

struct DeviceTable {
    static __device__ const unsigned char* ones() { return ones_in_device_memory.of; }
};

struct ConstantTable {
    static __device__ const unsigned char* ones() { return ones_in_constant_memory.of; }
};

__global__ void multiply_by_equal(Packed packed, Matrix<int> c) {
    const Word* a_row = packed.a.row(blockIdx.x);
    const std::size_t bits = packed.words * word_bits, rest = bits - packed.shape.k;
    for (std::size_t j = threadIdx.x; j < c.columns; j += blockDim.x) {
        unsigned equal = 0;
        for (std::size_t w = 0; w < packed.words; ++w)
            equal += count_ones(ones_in_device_memory.of, ~(a_row[w] ^ packed.b.row(w)[j]));
        const std::size_t different = bits - equal;
        c.row(blockIdx.x)[j] = static_cast<int>(equal - different - rest);
    }
}

template <class Table>
__global__ void multiply(Packed packed, Matrix<int> c) {
    const Word* a_row = packed.a.row(blockIdx.x);
    for (std::size_t j = threadIdx.x; j < c.columns; j += blockDim.x) {
        unsigned different = 0;
        for (std::size_t w = 0; w < packed.words; ++w)
            different += count_ones(Table::ones(), a_row[w] ^ packed.b.row(w)[j]);
        c.row(blockIdx.x)[j] = static_cast<int>(packed.shape.k - 2 * different);
    }
}

void launch(void (*kernel)(Packed, Matrix<int>), const Packed& packed, Matrix<int> c) {
    require_fits(packed, c);
    if (c.rows == 0) return;
    kernel<<<grid_of(c.rows), block_size>>>(packed, c);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void table_popcount(const Packed& packed, Matrix<int> c) {
    launch(multiply<DeviceTable>, packed, c);
}

void constant_popcount(const Packed& packed, Matrix<int> c) {
    launch(multiply<ConstantTable>, packed, c);
}

void equal_popcount(const Packed& packed, Matrix<int> c) {
    launch(multiply_by_equal, packed, c);
}

STAGES(BinaryStage{"exclusive or, and a table that counts the ones of a byte", table_popcount},
       BinaryStage{"constant", "the same with the table in constant memory", constant_popcount},
       BinaryStage{"equal", "counts the bits that are equal, and subtracts the padding", equal_popcount});

}  // namespace matrix_multiply
