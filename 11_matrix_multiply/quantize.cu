// Makes floats numbers of eight bits, in three steps: the largest magnitude of every row of a and column of b, or of
// 128 numbers of it; the scales; and each number divided by its scale and rounded to the nearest, of two that are as
// near to the even one. b is transposed on the way, as in round.cu. Both matrices get zeros where padding is.

#include <utility>

#include "common/check.h"
#include "common/errors.h"
#include "quantized_matrices.h"

namespace matrix_multiply {
namespace {

constexpr unsigned side = 32;       // of a patch
constexpr unsigned patch_rows = 8;  // that a block reads at once
constexpr unsigned threads = 256;

/// The bits of floats that are not negative are in the order of the floats, and a NaN's bits are above them all.
__device__ void raise(float& maximum, unsigned magnitude) {
    atomicMax(reinterpret_cast<unsigned*>(&maximum), magnitude);
}

__device__ unsigned magnitude_of(float x) {
    return __float_as_uint(x) & 0x7fffffff;
}

/// A warp takes 128 numbers of a row. blocks: of k, for each scale.
__global__ void row_maxima(Matrix<const float> a, std::size_t blocks, Matrix<float> maxima) {
    const std::size_t warp = (std::size_t{blockIdx.x} * threads + threadIdx.x) / 32, across = blocks_for(a.columns);
    const std::size_t i = warp / across, block = warp % across;
    if (i >= a.rows) return;
    unsigned largest = 0;
    for (std::size_t l = block * block_depth + threadIdx.x % 32; l < min(a.columns, (block + 1) * block_depth); l += 32)
        largest = max(largest, magnitude_of(a.row(i)[l]));
    for (unsigned step = 16; step > 0; step /= 2) largest = max(largest, __shfl_xor_sync(0xffffffff, largest, step));
    if (threadIdx.x % 32 == 0) raise(maxima.row(block / blocks)[i], largest);
}

/// A thread takes 128 numbers of a column, its neighbour those of the next column.
__global__ void column_maxima(Matrix<const float> b, std::size_t blocks, Matrix<float> maxima) {
    const std::size_t thread = std::size_t{blockIdx.x} * threads + threadIdx.x;
    const std::size_t j = thread % b.columns, block = thread / b.columns;
    if (block >= blocks_for(b.rows)) return;
    unsigned largest = 0;
    for (std::size_t l = block * block_depth; l < min(b.rows, (block + 1) * block_depth); ++l)
        largest = max(largest, magnitude_of(b.row(l)[j]));
    raise(maxima.row(block / blocks)[j], largest);
}

/// Where all numbers are 0, any scale is right but 0.
template <class F>
__global__ void scales_of(Matrix<float> maxima) {
    const std::size_t at = std::size_t{blockIdx.x} * threads + threadIdx.x;
    if (at >= maxima.rows * maxima.stride) return;
    const float maximum = maxima.data[at];
    maxima.data[at] = maximum == 0 ? 1 : maximum / F::largest;
}

template <class F>
__device__ typename F::Element quantized(float x, float scale) {
    if constexpr (std::is_same_v<F, Int8>)
        return static_cast<std::int8_t>(max(-127, min(127, __float2int_rn(x / scale))));
    else
        return typename F::Element(x / scale);  // beyond the largest number it is that one
}

template <class F>
__global__ void quantize_rows(Matrix<const float> a, std::size_t blocks, Matrix<const float> scales,
                              Matrix<typename F::Element> to) {
    const std::size_t patches = to.columns / side;
    const std::size_t i = blockIdx.x / patches * side + threadIdx.y, l = blockIdx.x % patches * side + threadIdx.x;
#pragma unroll
    for (unsigned y = 0; y < side; y += patch_rows) {
        const bool is_there = i + y < a.rows && l < a.columns;
        to.row(i + y)[l] =
            quantized<F>(is_there ? a.row(i + y)[l] : 0, is_there ? scales.row(l / block_depth / blocks)[i + y] : 1);
    }
}

template <class F>
__global__ void quantize_transposed(Matrix<const float> b, std::size_t blocks, Matrix<const float> scales,
                                    Matrix<typename F::Element> to) {
    __shared__ float patch[side][side + 1];
    const std::size_t patches = to.columns / side;
    const std::size_t first_j = blockIdx.x / patches * side, first_l = blockIdx.x % patches * side;
    const std::size_t j = first_j + threadIdx.x;
#pragma unroll
    for (unsigned y = threadIdx.y; y < side; y += patch_rows)
        patch[y][threadIdx.x] = first_l + y < b.rows && j < b.columns ? b.row(first_l + y)[j] : 0;
    __syncthreads();
    const bool is_there = first_l < b.rows;
#pragma unroll
    for (unsigned y = threadIdx.y; y < side; y += patch_rows)
        to.row(first_j + y)[first_l + threadIdx.x] = quantized<F>(
            patch[threadIdx.x][y],
            is_there && first_j + y < b.columns ? scales.row(first_l / block_depth / blocks)[first_j + y] : 1);
}

}  // namespace

template <class F>
QuantizedMatrices<F>::QuantizedMatrices(Shape shape)
    : shape_(shape),
      a_(round_up(shape.m, eight_padding), round_up(shape.k, block_depth), Rows::dense),
      b_transposed_(round_up(shape.n, eight_padding), round_up(shape.k, block_depth), Rows::dense),
      a_scales_(scales_for<F>(shape.k), round_up(shape.m, eight_padding), Rows::dense),
      b_scales_(scales_for<F>(shape.k), round_up(shape.n, eight_padding), Rows::dense) {}

template <class F>
void QuantizedMatrices<F>::quantize(Matrix<const float> a, Matrix<const float> b) {
    if (a.rows != shape_.m || a.columns != shape_.k || b.rows != shape_.k || b.columns != shape_.n)
        throw usage_error("matrices to be quantized have another shape than the room for them");
    const std::size_t blocks = F::by_blocks ? 1 : std::max(blocks_for(shape_.k), std::size_t{1});
    for (const Matrix<float> scales : {a_scales_.view(), b_scales_.view()})
        if (scales.data) CUDA_CHECK(cudaMemsetAsync(scales.data, 0, scales.rows * scales.stride * sizeof(float)));
    const auto launches_for = [](std::size_t count) { return grid_of((count + threads - 1) / threads); };
    if (const std::size_t warps = a.rows * blocks_for(a.columns); warps > 0) {
        row_maxima<<<launches_for(warps * 32), threads>>>(a, blocks, a_scales_.view());
        CUDA_CHECK_LAUNCH();
    }
    if (const std::size_t parts = b.columns * blocks_for(b.rows); parts > 0) {
        column_maxima<<<launches_for(parts), threads>>>(b, blocks, b_scales_.view());
        CUDA_CHECK_LAUNCH();
    }
    for (const Matrix<float> scales : {a_scales_.view(), b_scales_.view()}) {
        if (!scales.data) continue;
        scales_of<F><<<launches_for(scales.rows * scales.stride), threads>>>(scales);
        CUDA_CHECK_LAUNCH();
    }
    const auto patches = [](const auto& to) { return grid_of(to.rows / side * (to.columns / side)); };
    if (const auto to = a_.view(); patches(to) > 0) {
        quantize_rows<F><<<patches(to), dim3(side, patch_rows)>>>(a, blocks, std::as_const(a_scales_).view(), to);
        CUDA_CHECK_LAUNCH();
    }
    if (const auto to = b_transposed_.view(); patches(to) > 0) {
        quantize_transposed<F><<<patches(to), dim3(side, patch_rows)>>>(b, blocks, std::as_const(b_scales_).view(), to);
        CUDA_CHECK_LAUNCH();
    }
}

template <class F>
Quantized<F> QuantizedMatrices<F>::view() const {
    return {a_.view(), b_transposed_.view(), a_scales_.view(), b_scales_.view(), shape_};
}

template <class F>
void QuantizedMatrices<F>::poison() {
    for (DeviceMatrix<typename F::Element>* matrix : {&a_, &b_transposed_})
        if (matrix->view().data) matrix->poison();
    for (DeviceMatrix<float>* matrix : {&a_scales_, &b_scales_})
        if (matrix->view().data) matrix->poison();
}

template <class F>
void quantize(Matrix<const float> a, Matrix<const float> b, QuantizedMatrices<F>& quantized) {
    quantized.quantize(a, b);
}

template class QuantizedMatrices<Int8>;
template class QuantizedMatrices<E4m3>;
template class QuantizedMatrices<E5m2>;
template class QuantizedMatrices<E4m3Blocks>;

template <class F>
constexpr QuantizeStage<F> quantize_stage{"the scales, then each number to the nearest, and b is transposed",
                                          quantize<F>};
STAGES(quantize_stage<Int8>, quantize_stage<E4m3>, quantize_stage<E5m2>, quantize_stage<E4m3Blocks>);

}  // namespace matrix_multiply
