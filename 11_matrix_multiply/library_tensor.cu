// NVIDIA's answer: cuBLAS on tensor cores. It takes TF32 or BF16 and makes floats. As in library.cu, it sees every
// matrix transposed. It is given b in both layouts, as its kernels for them differ in speed.

#include <algorithm>
#include <cstdint>

#include "common/cublas.h"
#include "rounded.h"

namespace matrix_multiply {
namespace {

template <class T>
void multiply(const Rounded<T>& rounded, const Matrix<const T>& b, bool is_transposed, Matrix<float> c) {
    require_product_fits(rounded, c);
    const auto [m, k, n] = rounded.shape;
    if (m == 0 || n == 0) return;
    constexpr bool is_tf32 = std::is_same_v<T, float>;
    constexpr cudaDataType type = is_tf32 ? CUDA_R_32F : CUDA_R_16BF;
    const float one = 1, zero = 0;
    const auto size = [](std::size_t x) { return std::max(static_cast<std::int64_t>(x), std::int64_t{1}); };
    CUBLAS_CHECK(cublasGemmEx_64(cublas_handle(), is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, size(n),
                                 size(m), static_cast<std::int64_t>(k), &one, b.data, type, size(b.stride),
                                 rounded.a.data, type, size(rounded.a.stride), &zero, c.data, CUDA_R_32F,
                                 size(c.stride), is_tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F,
                                 CUBLAS_GEMM_DEFAULT));
}

}  // namespace

template <class T>
void rounded_library(const Rounded<T>& rounded, Matrix<float> c) {
    multiply(rounded, rounded.b_transposed, true, c);
}

template <class T>
void rounded_library_as_is(const Rounded<T>& rounded, Matrix<float> c) {
    multiply(rounded, rounded.b, false, c);
}

template void rounded_library(const Rounded<float>&, Matrix<float>);
template void rounded_library(const Rounded<Bf16>&, Matrix<float>);
template void rounded_library_as_is(const Rounded<float>&, Matrix<float>);
template void rounded_library_as_is(const Rounded<Bf16>&, Matrix<float>);

template <class T>
constexpr TensorStage<T> rounded_library_stage{"cublasGemmEx, with b transposed as the stages have it",
                                               rounded_library<T>, tensor_cores_for_tf32};
template <class T>
constexpr TensorStage<T> rounded_library_as_is_stage{"b_as_is", "the same with b as it is", rounded_library_as_is<T>,
                                                     tensor_cores_for_tf32};
STAGES(rounded_library_stage<float>, rounded_library_as_is_stage<float>, rounded_library_stage<Bf16>,
       rounded_library_as_is_stage<Bf16>);

}  // namespace matrix_multiply
