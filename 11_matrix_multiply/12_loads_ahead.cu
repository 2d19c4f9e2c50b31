// New here: the operands for the next l are loaded before the multiply-adds of this one, into registers of their own.
// 64 instructions hide the latency of these loads, across the barrier too, over which nvcc moves no load by itself.
// What remains: shared memory itself, which needs three wavefronts for an average load.

#include "common/check.h"
#include "loads_ahead.h"
#include "matrix_multiply.h"

namespace matrix_multiply {
namespace {

template <bool aligned>
__global__ void __launch_bounds__(Wide::block_size, blocks_at_once)
    multiply(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    const auto add = [](auto& sums, const auto& a_part, const auto& b_part) { add_products(sums, a_part, b_part); };
    multiply_with_loads_ahead<Wide, aligned>(a, b, c, lane_in_rows<Wide>(), add);
}

template <bool aligned>
void launch(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    constexpr std::size_t bytes = buffers * sizeof(Slice<Wide::rows, Wide::columns, slice>);
    CUDA_CHECK(cudaFuncSetAttribute(multiply<aligned>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    multiply<aligned><<<tiles_of(c, Wide::rows, Wide::columns), Wide::block_size, bytes>>>(a, b, c);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void loads_ahead(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    shape_of(a, b, c);
    if (c.rows == 0 || c.columns == 0) return;
    if (rows_are_aligned(a) && rows_are_aligned(b) && rows_are_aligned(c))
        launch<true>(a, b, c);
    else
        launch<false>(a, b, c);
}

STAGES(Stage{{"the next operands are loaded before these are used", loads_ahead, more_than_48_kib}, Rows::pitched});

}  // namespace matrix_multiply
