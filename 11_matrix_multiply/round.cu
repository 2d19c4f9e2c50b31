// Rounds floats to TF32 or BF16, each to the nearest. b is transposed on the way: a block reads a patch of 32 x 32
// along the rows of b and writes it along its columns. Both matrices get zeros where padding is.

#include <mma.h>

#include <utility>

#include "common/check.h"
#include "common/errors.h"
#include "rounded_matrices.h"

namespace matrix_multiply {
namespace {

constexpr unsigned side = 32;       // of a patch
constexpr unsigned patch_rows = 8;  // that a block reads at once

/// Of two TF32 numbers that are as near, the larger one in magnitude; of two BF16 numbers the even one.
template <class T>
__device__ T rounded(float x) {
    if constexpr (std::is_same_v<T, Bf16>) {
        return __float2bfloat16_rn(x);
    } else {
#if __CUDA_ARCH__ >= 800
        return nvcuda::wmma::__float_to_tf32(x);
#else
        __trap();
        return x;
#endif
    }
}

template <class T>
__global__ void round_rows(Matrix<const float> a, Matrix<T> to) {
    const std::size_t patches = to.columns / side;
    const std::size_t i = blockIdx.x / patches * side + threadIdx.y, l = blockIdx.x % patches * side + threadIdx.x;
#pragma unroll
    for (unsigned y = 0; y < side; y += patch_rows)
        to.row(i + y)[l] = rounded<T>(i + y < a.rows && l < a.columns ? a.row(i + y)[l] : 0);
}

template <class T>
__global__ void round_transposed(Matrix<const float> b, Matrix<T> to) {
    __shared__ float patch[side][side + 1];
    const std::size_t patches = to.columns / side;
    const std::size_t first_j = blockIdx.x / patches * side, first_l = blockIdx.x % patches * side;
    const std::size_t j = first_j + threadIdx.x;
#pragma unroll
    for (unsigned y = threadIdx.y; y < side; y += patch_rows)
        patch[y][threadIdx.x] = first_l + y < b.rows && j < b.columns ? b.row(first_l + y)[j] : 0;
    __syncthreads();
#pragma unroll
    for (unsigned y = threadIdx.y; y < side; y += patch_rows)
        to.row(first_j + y)[first_l + threadIdx.x] = rounded<T>(patch[threadIdx.x][y]);
}

}  // namespace

template <class T>
RoundedMatrices<T>::RoundedMatrices(Shape shape, bool with_b)
    : shape_(shape),
      a_(round_up(shape.m, rounded_padding), round_up(shape.k, slice_depth<T>), Rows::dense),
      b_transposed_(round_up(shape.n, rounded_padding), round_up(shape.k, slice_depth<T>), Rows::dense),
      b_(with_b ? round_up(shape.k, side) : 0, with_b ? round_up(shape.n, rounded_padding) : 0, Rows::dense) {}

template <class T>
void RoundedMatrices<T>::round(Matrix<const float> a, Matrix<const float> b) {
    if (a.rows != shape_.m || a.columns != shape_.k || b.rows != shape_.k || b.columns != shape_.n)
        throw usage_error("matrices to be rounded have another shape than the room for them");
    const auto patches = [](const Matrix<T>& to) { return grid_of(to.rows / side * (to.columns / side)); };
    for (const auto& [from, to] : {std::pair(a, a_.view()), std::pair(b, b_.view())}) {
        if (patches(to) == 0) continue;
        round_rows<<<patches(to), dim3(side, patch_rows)>>>(from, to);
        CUDA_CHECK_LAUNCH();
    }
    if (const Matrix<T> to = b_transposed_.view(); patches(to) > 0) {
        round_transposed<<<patches(to), dim3(side, patch_rows)>>>(b, to);
        CUDA_CHECK_LAUNCH();
    }
}

template <class T>
Rounded<T> RoundedMatrices<T>::view() const {
    return {a_.view(), b_transposed_.view(), shape_, b_.view()};
}

template <class T>
void RoundedMatrices<T>::poison() {
    for (DeviceMatrix<T>* matrix : {&a_, &b_transposed_, &b_})
        if (matrix->view().rows > 0 && matrix->view().columns > 0) matrix->poison();
}

template <class T>
void round(Matrix<const float> a, Matrix<const float> b, RoundedMatrices<T>& rounded) {
    rounded.round(a, b);
}

template class RoundedMatrices<float>;
template class RoundedMatrices<Bf16>;
template void round(Matrix<const float>, Matrix<const float>, RoundedMatrices<float>&);
template void round(Matrix<const float>, Matrix<const float>, RoundedMatrices<Bf16>&);

template <class T>
constexpr RoundStage<T> round_stage{"to the nearest, and b is transposed", round<T>, tensor_cores_for_tf32};
STAGES(round_stage<float>, round_stage<Bf16>);

}  // namespace matrix_multiply
