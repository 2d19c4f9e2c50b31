// NVIDIA's answer: the matrix product of cuBLAS, in fp32: unless asked to, it does not round the factors to the tensor
// cores' TF32. cuBLAS counts along columns. What it takes for columns are our rows, so that it sees every matrix
// transposed; and cᵀ = bᵀ · aᵀ.

#include <cublas_v2.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "common/check.h"
#include "matrix_multiply.h"

namespace matrix_multiply {
namespace {

void check(cublasStatus_t status, const std::string& call, int line) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw cuda_error(cudaErrorUnknown, (call + ": " + cublasGetStatusString(status)).c_str(), __FILE__, line);
}

/// Made once, as it takes far longer than a product.
cublasHandle_t handle() {
    static const cublasHandle_t made = [] {
        cublasHandle_t handle = nullptr;
        check(cublasCreate(&handle), "cublasCreate", __LINE__);
        return handle;
    }();
    return made;
}

}  // namespace

void library(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    const auto [m, k, n] = shape_of(a, b, c);
    if (m == 0 || n == 0) return;
    const float one = 1, zero = 0;
    const auto size = [](std::size_t x) { return static_cast<std::int64_t>(x); };
    const auto stride = [&](const auto& matrix) { return std::max(size(matrix.stride), std::int64_t{1}); };
    check(cublasSgemm_64(handle(), CUBLAS_OP_N, CUBLAS_OP_N, size(n), size(m), size(k), &one, b.data, stride(b), a.data,
                         stride(a), &zero, c.data, stride(c)),
          "cublasSgemm_64", __LINE__);
}

}  // namespace matrix_multiply
